"""Tests of import cycles: there are none."""

import itertools

import grimp


def cycles_of(imports):
    """Return the sets of modules that import each other in a cycle.

    These are the strongly connected components of more than one module (R. Tarjan, "Depth-first
    search and linear graph algorithms", 1972).

    Args:
        imports: module -> the modules that it imports.
    """
    order = itertools.count()
    number, low = {}, {}
    stack, found = [], set()

    def visit(module):
        number[module] = low[module] = next(order)
        stack.append(module)
        for imported in imports[module]:
            if imported not in number:
                visit(imported)
            if imported in stack:
                low[module] = min(low[module], low[imported])
        if low[module] == number[module]:
            place = stack.index(module)
            component = frozenset(stack[place:])
            del stack[place:]
            if len(component) > 1:
                found.add(component)

    for module in sorted(imports):
        if module not in number:
            visit(module)
    return found


def imports_of_the_package():
    """Return module -> imported modules of the package, including imports for type checkers."""
    graph = grimp.build_graph("antipodes", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_a_cycle_of_imports_is_found():
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "c"}}
    assert cycles_of(imports) == {frozenset({"b", "c"})}


def test_a_chain_of_imports_is_not_a_cycle():
    assert cycles_of({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == set()


def test_no_modules_import_each_other_in_a_cycle():
    found = cycles_of(imports_of_the_package())
    assert not found, f"import cycles: {[sorted(cycle) for cycle in found]}"
