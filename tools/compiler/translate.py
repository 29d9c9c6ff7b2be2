"""Translation of kernels to C.

Each kernel becomes a function of C, one more for each choice of kernels that it takes as arguments.
Where the order of evaluation matters and C leaves it open, values go through temporaries.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from antipodes.games.kernels.native import name_of
from antipodes.games.kernels.prefetch import prefetch
from antipodes.games.kernels.registry import INLINE, KERNELS, SCALAR
from antipodes.search.kernels.convolution import sum_products
from tools.compiler.kinds import (
    BOOL,
    FLOAT,
    INT,
    UNSIGNED,
    Array,
    Group,
    Kernel,
    Kind,
    Number,
    arithmetic,
    common,
    read_signature,
    widened,
)

Function = Callable[..., Any]

_ARITHMETIC: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_BITS: dict[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
# Words of C that Python allows as names.
_RESERVED = {"auto", "case", "char", "const", "default", "do", "double", "enum", "extern", "float"}
_RESERVED |= {"goto", "inline", "int", "long", "register", "restrict", "short", "signed", "sizeof"}
_RESERVED |= {"static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile"}
_MOST_POWER = 8
_CONVERTED: dict[Any, Number] = {
    float: FLOAT,
    int: INT,
    np.float32: Number("f", 4),
    np.int32: Number("i", 4),
    np.uint64: UNSIGNED,
}
_VIEWS = {
    ("np.float64", "np.int64"): ("bits_of_float", FLOAT, INT),
    ("np.int64", "np.float64"): ("float_of_bits", INT, FLOAT),
}


class TranslationError(Exception):
    """A kernel uses something that has no translation; the text begins with file and line."""


@dataclass(frozen=True)
class Value:
    """An expression of C; ``calls`` tells whether it calls kernels, ``constant`` its number."""

    text: str
    kind: Kind
    calls: bool = False
    constant: Any = None


@dataclass
class Program:
    """The functions of C that some kernels need, each after its callees.

    Attributes:
        groups: of arrays, by name.
        arrays: types of arrays that are used.
        functions: their texts.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    arrays: set[Array] = field(default_factory=set)
    functions: list[str] = field(default_factory=list)
    _names: dict[tuple[Any, ...], str] = field(default_factory=dict)

    def add(self, function: Function, given: Mapping[str, Function]) -> str:
        """Add a kernel with the kernels that it gets as arguments; return its name in C.

        Raises:
            TranslationError: it or a callee uses something that has no translation.
        """
        key = (function, *sorted((name, id(kernel)) for name, kernel in given.items()))
        if key not in self._names:
            name = "__".join(map(name_of, (function, *given.values())))
            text = _Translation(self, function, given).text(name)
            self._names[key] = name
            self.functions.append(text)
        return self._names[key]

    def structs(self) -> list[str]:
        """Return the declarations of arrays and groups."""
        arrays = [
            f"typedef struct {{ {array.element.c} *data; Length"
            f" {', '.join(f'n{i}' for i in range(array.dimensions))}; }} {array.c};"
            for array in sorted(self.arrays, key=lambda array: array.c)
        ]
        groups = [
            f"typedef struct {{ {' '.join(f'{kind.c} {each};' for each, kind in group.fields)} }}"
            f" {group.name};"
            for group in self.groups.values()
        ]
        return arrays + groups

    def use(self, kind: Kind) -> None:
        """Remember a type whose struct the program has to declare."""
        if isinstance(kind, Array):
            # Rows of an array are arrays as well.
            self.arrays.update(
                Array(kind.element, number) for number in range(1, kind.dimensions + 1)
            )
        elif isinstance(kind, Group):
            for _, part in kind.fields:
                self.use(part)
            self.groups[kind.name] = kind


def is_kernel(value: Any) -> bool:
    """Return whether a value is a registered kernel."""
    known = KERNELS.get(getattr(value, "__module__", None) or "", {})
    return any(kernel[0] is value for kernel in known.values())


def registered(function: Function) -> tuple[str, str]:
    """Return the name of a kernel in its module and its signature."""
    for name, (known, signature) in KERNELS[function.__module__].items():
        if known is function:
            return name, signature
    raise KeyError(function)


@cache
def _module(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text(encoding="utf-8"))


def _definition(function: Function) -> ast.FunctionDef:
    """Return the syntax tree of a kernel."""
    code = function.__code__
    for node in _module(code.co_filename).body:
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            return node
    raise TranslationError(f"{code.co_filename}:{code.co_firstlineno}: no function of a module")


class _Translation:
    """The translation of one kernel."""

    def __init__(self, program: Program, function: Function, given: Mapping[str, Function]) -> None:
        self._program = program
        self._function = function
        self._node = _definition(function)
        self._kinds: dict[str, Kind] = {}
        self._temporaries = count()
        self._lines: list[str] = []
        self._depth = 1
        parameters, self._result = read_signature(function, registered(function)[1])
        self._parameters = [argument.arg for argument in self._node.args.args]
        if len(parameters) != len(self._parameters):
            raise self._refusal(self._node, "the signature has another number of parameters")
        for name, kind in zip(self._parameters, parameters, strict=True):
            self._kinds[name] = Kernel(given[name]) if isinstance(kind, Kernel) else kind
            program.use(kind)
        self._locals = {
            node.id
            for node in ast.walk(self._node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    def text(self, name: str) -> str:
        """Return the function in C."""
        declared = dict(self._kinds)
        # Types of variables follow from each other; they only grow, so this ends.
        before: dict[str, Kind] = {}
        while before != self._kinds:
            before = dict(self._kinds)
            self._lines = []
            self._block(self._node.body)
        parameters = [
            f"{kind.c} {_variable(each)}"
            for each, kind in declared.items()
            if not isinstance(kind, Kernel)
        ]
        variables = [
            f"    {kind.c} {_variable(each)}{' = {0}' if isinstance(kind, Array) else ' = 0'};"
            for each, kind in self._kinds.items()
            if each not in declared and not isinstance(kind, Kernel)
        ]
        inline = " inline __attribute__((always_inline))" if self._function in INLINE else ""
        head = f"static{inline} {self._result.c} {name}({', '.join(parameters)}) {{"
        return "\n".join([head, *variables, *self._lines, "    return 0;", "}", ""])

    def _refusal(self, node: ast.AST, why: str) -> TranslationError:
        """Return the error that a kernel may not use something, with file and line."""
        path = self._function.__code__.co_filename
        line = getattr(node, "lineno", self._node.lineno)
        return TranslationError(f"{path}:{line}: {why}: {ast.unparse(node).splitlines()[0]}")

    # Statements.

    def _emit(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _block(self, body: Iterable[ast.stmt]) -> None:
        for node in body:
            self._statement(node)

    def _branch(self, head: str, body: Iterable[ast.stmt], first: str = "") -> None:
        """Emit a block of C with its head and perhaps a first statement of its own."""
        self._emit(f"{head} {{")
        self._depth += 1
        if first:
            self._emit(first)
        self._block(body)
        self._depth -= 1
        self._emit("}")

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(ast.Constant(str())) | ast.Pass():
                pass
            case ast.Expr(ast.Call() as call):
                self._emit(f"{self._call(call).text};")
            case ast.Assign([target, *others], value):
                self._assign(node, target, value)
                for other in others:  # a = b = 0
                    self._assign(node, other, value)
            case ast.AugAssign():
                self._augment(node)
            case ast.If(test, body, orelse):
                self._branch(f"if ({self._truth(test).text})", body)
                if orelse:
                    self._branch("else", orelse)
            case ast.While(test, body, []):
                self._branch(f"while ({self._truth(test).text})", body)
            case ast.For(ast.Name(), ast.Call(ast.Name("range")), orelse=[]):
                self._for(node)
            case ast.Return(ast.expr() as value):
                self._emit(f"return {self._number(value).text};")
            case ast.Break() | ast.Continue():
                self._emit(f"{type(node).__name__.lower()};")
            case _:
                raise self._refusal(node, "kernels may not use this statement")

    def _assign(self, node: ast.stmt, target: ast.expr, source: ast.expr) -> None:
        match source:
            case ast.IfExp(test, ast.Tuple(one), ast.Tuple(other)) if len(one) == len(other):
                # A pair that depends on a condition: so does each of its parts.
                parts = [ast.IfExp(test, *pair) for pair in zip(one, other, strict=True)]
                source = ast.Tuple([ast.copy_location(part, source) for part in parts])
        if isinstance(target, ast.Tuple) and isinstance(source, ast.Tuple):
            values = [self._value(each) for each in source.elts]
            names = [self._temporary() for _ in values]
            self._emit("{")
            for name, value in zip(names, values, strict=True):
                if isinstance(value.kind, Kernel):
                    raise self._refusal(node, "kernels may not assign kernels")
                self._emit(f"{value.kind.c} {name} = {value.text};")
            for place, name, value in zip(target.elts, names, values, strict=True):
                self._store(node, place, Value(name, value.kind))
            self._emit("}")
            return
        self._store(node, target, self._value(source))

    def _store(self, node: ast.stmt, target: ast.expr, value: Value) -> None:
        """Emit the assignment of a value to a variable or a part of an array."""
        if isinstance(target, ast.Name):
            self._note(node, target.id, value.kind)
            self._emit(f"{_variable(target.id)} = {value.text};")
            return
        if not isinstance(target, ast.Subscript) or not isinstance(value.kind, Number):
            raise self._refusal(node, "kernels may not assign this")
        if value.calls:
            # Python makes the value first, and then finds its place.
            name = self._temporary()
            self._emit(f"{{ {value.kind.c} {name} = {value.text};")
            self._emit(f"{self._fill_or_set(target, Value(name, value.kind))} }}")
        else:
            self._emit(self._fill_or_set(target, value))

    def _fill_or_set(self, target: ast.Subscript, value: Value) -> str:
        place = self._subscript(target)
        if isinstance(place.kind, Number):
            return f"{place.text} = {value.text};"
        assert isinstance(place.kind, Array)
        part, i = self._temporary(), self._temporary()
        length = " * ".join(f"{part}.n{axis}" for axis in range(place.kind.dimensions))
        return (
            f"{{ {place.kind.c} {part} = {place.text};"
            f" for (int64_t {i} = 0; {i} < {length}; {i}++) {part}.data[{i}] = {value.text}; }}"
        )

    def _augment(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            before = self._value(ast.Name(node.target.id, ast.Load(), lineno=node.lineno))
            self._store(node, node.target, self._binary(node, before, node.op, node.value))
            return
        if not isinstance(node.target, ast.Subscript):
            raise self._refusal(node, "kernels may not assign this")
        place = self._subscript(node.target)
        if not isinstance(place.kind, Number):
            raise self._refusal(node, "kernels may not assign this")
        pointer, old = self._temporary(), self._temporary()
        self._emit(f"{{ {place.kind.c} *{pointer} = &{place.text};")
        self._emit(f"{place.kind.c} {old} = *{pointer};")
        value = self._binary(node, Value(old, place.kind), node.op, node.value)
        self._emit(f"*{pointer} = {value.text}; }}")

    def _for(self, node: ast.For) -> None:
        """Emit a loop over a range, whose ends are evaluated once."""
        assert isinstance(node.target, ast.Name)
        assert isinstance(node.iter, ast.Call)
        ends = [self._number(end) for end in node.iter.args]
        step = ends[2] if len(ends) == 3 else Value("1", INT, constant=1)
        first, last = (Value("0", INT), ends[0]) if len(ends) == 1 else ends[:2]
        if step.constant is None:
            raise self._refusal(node, "the step of a range must be a constant")
        letters = {end.kind.letter for end in ends if isinstance(end.kind, Number)}
        kind = UNSIGNED if letters == {"u"} else INT
        self._note(node, node.target.id, kind)
        i, end = self._temporary(), self._temporary()
        compared = "<" if step.constant > 0 else ">"
        if self._function in SCALAR:
            self._emit("SCALAR")
        self._branch(
            f"for ({kind.c} {i} = {first.text}, {end} = {last.text}; {i} {compared} {end};"
            f" {i} += {step.text})",
            node.body,
            f"{_variable(node.target.id)} = {i};",
        )

    def _note(self, node: ast.AST, name: str, kind: Kind) -> None:
        """Remember the type of a value that a variable gets."""
        known = self._kinds.get(name)
        if known is None:
            self._kinds[name] = kind
            self._program.use(kind)
        elif isinstance(known, Number) and isinstance(kind, Number):
            both = common(known, kind)
            if both is None:
                raise self._refusal(node, f"{name} is signed here and unsigned elsewhere")
            if name in self._parameters and both != known:
                raise self._refusal(node, f"{name} is a parameter of another type")
            self._kinds[name] = both
        elif known != kind:
            raise self._refusal(node, f"{name} has another type elsewhere")

    # Expressions.

    def _temporary(self) -> str:
        return f"t{next(self._temporaries)}_"

    def _value(self, node: ast.expr) -> Value:
        translate = getattr(self, f"_{type(node).__name__.lower()}", None)
        if translate is None:
            raise self._refusal(node, "kernels may not use this expression")
        value: Value = translate(node)
        return value

    def _boolop(self, node: ast.BoolOp) -> Value:
        parts = [self._truth(each) for each in node.values]
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(f"({sign.join(part.text for part in parts)})", BOOL, _calls(parts))

    def _ifexp(self, node: ast.IfExp) -> Value:
        one, other = self._number(node.body), self._number(node.orelse)
        kind = self._shared(node, one, other)
        condition = self._truth(node.test)
        text = f"({condition.text} ? {_cast(kind, one)} : {_cast(kind, other)})"
        return Value(text, kind, _calls((condition, one, other)))

    def _binop(self, node: ast.BinOp) -> Value:
        return self._binary(node, self._value(node.left), node.op, node.right)

    def _number(self, node: ast.expr) -> Value:
        value = self._value(node)
        if not isinstance(value.kind, Number):
            raise self._refusal(node, "a number is needed here")
        return value

    def _truth(self, node: ast.expr) -> Value:
        """Return an expression as the condition of a branch."""
        value = self._number(node)
        return value if value.kind == BOOL else Value(f"({value.text} != 0)", BOOL, value.calls)

    def _shared(self, node: ast.AST, one: Value, other: Value) -> Number:
        assert isinstance(one.kind, Number)
        assert isinstance(other.kind, Number)
        kind = common(one.kind, other.kind)
        if kind is None:
            raise self._refusal(node, "one number is signed and the other is not")
        return kind

    def _name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self._kinds:
            return Value(_variable(name), self._kinds[name])
        if name in self._locals:
            # A later statement gives it its type, and the next pass knows that.
            raise self._refusal(node, "a variable is read before it has a value")
        if name in self._function.__globals__:
            return self._number_of(node, self._function.__globals__[name])
        raise self._refusal(node, "kernels may only use constants of their modules")

    def _constant(self, node: ast.Constant) -> Value:
        return self._number_of(node, node.value)

    def _number_of(self, node: ast.AST, number: Any) -> Value:
        """Return a constant of the source or of a module."""
        match number:
            case bool():
                return Value(str(int(number)), BOOL, constant=number)
            case _ if isinstance(number, np.uint64):
                return Value(f"UINT64_C({int(number)})", UNSIGNED, constant=int(number))
            case _ if isinstance(number, np.float32):
                return Value(f"{float(number).hex()}f", Number("f", 4), constant=float(number))
            case int() if -(2**63) < number < 2**63:
                text = f"INT64_C({number})" if number >= 0 else f"(-INT64_C({-number}))"
                return Value(text, INT, constant=number)
            case float() if math.isfinite(number):
                return Value(f"({number.hex()})", FLOAT, constant=number)
            case _ if is_kernel(number):
                return Value("", Kernel(number))
            case _:
                raise self._refusal(node, "this is no constant of kernels")

    def _attribute(self, node: ast.Attribute) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id not in self._kinds:
            owner = self._function.__globals__.get(node.value.id)
            return self._number_of(node, getattr(owner, node.attr, None))
        value = self._value(node.value)
        if isinstance(value.kind, Group):
            for name, kind in value.kind.fields:
                if name == node.attr:
                    return Value(f"{value.text}.{name}", kind, value.calls)
        raise self._refusal(node, "a group of arrays has no such field")

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array, place = self._value(node.value.value), self._number(node.slice)
            if isinstance(array.kind, Array) and place.constant in range(array.kind.dimensions):
                return Value(f"{array.text}.n{place.constant}", INT, array.calls)
            raise self._refusal(node, "an array has no such dimension")
        array = self._value(node.value)
        if not isinstance(array.kind, Array):
            raise self._refusal(node, "this is not an array")
        if isinstance(node.slice, ast.Slice):
            return self._slice(node, array, node.slice)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        places = [self._number(index) for index in indices]
        left = array.kind.dimensions - len(places)
        if left < 0:
            raise self._refusal(node, "the array has fewer dimensions")
        if any(isinstance(place.kind, Number) and place.kind.letter == "f" for place in places):
            raise self._refusal(node, "an index must be a whole number")
        suffix = f"{len(places)}{'' if left == 0 else f'of{array.kind.dimensions}'}"
        inner = ", ".join([array.text, *(place.text for place in places)])
        calls = _calls((array, *places))
        if left == 0:
            return Value(f"AT{suffix}({inner})", array.kind.element, calls)
        kind = Array(array.kind.element, left)
        return Value(f"ROW{suffix}({kind.c}, {inner})", kind, calls)

    def _slice(self, node: ast.Subscript, array: Value, part: ast.Slice) -> Value:
        assert isinstance(array.kind, Array)
        if part.step:
            raise self._refusal(node, "kernels may not cut arrays with steps")
        first = self._number(part.lower) if part.lower else Value("0", INT)
        last = self._number(part.upper) if part.upper else Value(f"{array.text}.n0", INT)
        ends = f"{first.text}, {last.text}"
        text = f"CUT{array.kind.dimensions}({array.kind.c}, {array.text}, {ends})"
        return Value(text, array.kind, _calls((array, first, last)))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        value = self._number(node.operand)
        assert isinstance(value.kind, Number)
        kind = widened(value.kind)
        match node.op:
            case ast.Not():
                return Value(f"(!{self._truth(node.operand).text})", BOOL, value.calls)
            case ast.USub():
                if value.constant is not None:
                    return self._number_of(node, -value.constant)
                return Value(f"(-{_cast(kind, value)})", kind, value.calls)
            case ast.Invert() if kind.letter != "f":
                return Value(f"(~{_cast(kind, value)})", kind, value.calls)
            case _:
                raise self._refusal(node, "kernels may not use this operator")

    def _binary(
        self, node: ast.AST, left: Value, operator: ast.operator, operand: ast.expr
    ) -> Value:
        right = self._number(operand)
        if not isinstance(left.kind, Number) or not isinstance(right.kind, Number):
            raise self._refusal(node, "a number is needed here")
        before = ""
        if right.calls:
            # Python evaluates the left operand first, and the call may change what it reads.
            name = self._temporary()
            before = f"{left.kind.c} {name} = {left.text}; "
            left = Value(name, left.kind, left.calls)
        value = self._operation(node, left, operator, right)
        calls = left.calls or right.calls
        return Value(f"({{ {before}{value.text}; }})" if before else value.text, value.kind, calls)

    def _operation(self, node: ast.AST, left: Value, operator: ast.operator, right: Value) -> Value:
        assert isinstance(left.kind, Number)
        assert isinstance(right.kind, Number)
        kind = arithmetic(left.kind, right.kind)
        one, other = _cast(kind, left), _cast(kind, right)
        is_whole = kind.letter != "f"
        match operator:
            case ast.Add() | ast.Sub() | ast.Mult():
                return Value(f"({one} {_ARITHMETIC[type(operator)]} {other})", kind)
            case ast.Div():
                real = FLOAT if is_whole else kind
                return Value(f"({_cast(real, left)} / {_cast(real, right)})", real)
            case ast.BitAnd() | ast.BitOr() | ast.BitXor() if is_whole:
                return Value(f"({one} {_BITS[type(operator)]} {other})", kind)
            case ast.LShift() if is_whole:
                kind = widened(left.kind)
                shifted = f"((uint64_t){_cast(kind, left)} << {right.text})"
                return Value(f"(({kind.c}){shifted})", kind)
            case ast.RShift() if is_whole:
                kind = widened(left.kind)
                return Value(f"({_cast(kind, left)} >> {right.text})", kind)
            case ast.FloorDiv() | ast.Mod() if is_whole:
                return self._division(operator, kind, one, other, right)
            case ast.Pow() if right.constant in range(1, _MOST_POWER + 1):
                kind, one = (kind, one) if is_whole else (left.kind, left.text)
                name = self._temporary()
                product = " * ".join([name] * right.constant)
                return Value(f"({{ {kind.c} {name} = {one}; {product}; }})", kind)
            case _:
                raise self._refusal(node, "kernels may not use this operator")

    def _division(
        self, operator: ast.operator, kind: Number, one: str, other: str, right: Value
    ) -> Value:
        """Return a quotient or a remainder, rounded down."""
        is_modulo = isinstance(operator, ast.Mod)
        divisor = right.constant
        if kind == INT and divisor and divisor > 0 and divisor & (divisor - 1) == 0:
            # A shift or a mask rounds down, too.
            text = f"{one} & {divisor - 1}" if is_modulo else f"{one} >> {divisor.bit_length() - 1}"
            return Value(f"({text})", kind)
        name = ("modulo" if is_modulo else "quotient") + ("" if kind == INT else "_unsigned")
        return Value(f"{name}({one}, {other})", kind)

    def _compare(self, node: ast.Compare) -> Value:
        operands = [node.left, *node.comparators]
        if len(operands) == 2:
            left, operator, right = node.left, node.ops[0], node.comparators[0]
            if isinstance(operator, ast.In) and isinstance(right, ast.Tuple):
                either = [ast.Compare(left, [ast.Eq()], [each]) for each in right.elts]
                return self._value(ast.copy_location(ast.BoolOp(ast.Or(), list(either)), node))
            if type(operator) not in _COMPARISONS:
                raise self._refusal(node, "kernels may not compare like this")
            one, other = self._number(left), self._number(right)
            text = _compared(one, operator, other)
            if other.calls:
                assert isinstance(one.kind, Number)
                name = self._temporary()
                text = _compared(Value(name, one.kind), operator, other)
                text = f"({{ {one.kind.c} {name} = {one.text}; {text}; }})"
            return Value(text, BOOL, one.calls or other.calls)
        if any(isinstance(part, ast.Call) for each in operands for part in ast.walk(each)):
            raise self._refusal(node, "a comparison of three may not have calls")
        pairs = zip(operands, node.ops, operands[1:], strict=False)
        parts = [self._compare(ast.Compare(one, [by], [other])) for one, by, other in pairs]
        return Value(f"({' && '.join(part.text for part in parts)})", BOOL)

    def _call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self._refusal(node, "kernels may not call with names of arguments")
        match node:
            case ast.Call(ast.Attribute(ast.Call() as number, "view"), [kind]):
                return self._view(node, number, kind)
        callee = self._callee(node)
        if callee is prefetch:
            array, index = self._value(node.args[0]), self._number(node.args[1])
            return Value(f"__builtin_prefetch({array.text}.data + {index.text})", INT)
        if callee is sum_products:
            inputs, places, weights, sums = (self._value(each).text for each in node.args)
            given = f"{inputs}.data, {inputs}.n0, {inputs}.n1, {places}.data, {places}.n0"
            text = f"sum_products({given}, {weights}.data, {sums}.data, {sums}.n1)"
            return Value(text, INT, calls=True)
        if is_kernel(callee):
            return self._kernel_call(node, callee)
        if callee is len and len(node.args) == 1:
            array = self._value(node.args[0])
            return Value(f"{array.text}.n0", INT, array.calls)
        values = [self._number(argument) for argument in node.args]
        if callee is math.sqrt and len(values) == 1:
            return Value(f"sqrt({_cast(FLOAT, values[0])})", FLOAT, values[0].calls)
        if callee in (min, max) and len(values) > 1:
            return self._extreme(node, "<" if callee is min else ">", values)
        if len(values) == 1 and callee in (abs, *_CONVERTED):
            return self._converted(callee, values[0])
        raise self._refusal(node, "kernels may not call this")

    def _view(self, node: ast.Call, number: ast.Call, kind: ast.expr) -> Value:
        """Return the bits of ``np.float64(x)`` as an ``np.int64``, or the other way round."""
        names = ast.unparse(number.func), ast.unparse(kind)
        if names not in _VIEWS or len(number.args) != 1:
            raise self._refusal(node, "kernels may not call this")
        function, given, result = _VIEWS[names]
        value = self._number(number.args[0])
        return Value(f"{function}({_cast(given, value)})", result, value.calls)

    def _converted(self, function: Any, value: Value) -> Value:
        """Return the absolute value of a number, or the number as another type."""
        assert isinstance(value.kind, Number)
        kind = widened(value.kind) if function is abs else _CONVERTED[function]
        if function is int and value.kind.letter not in "fb":
            kind = value.kind
        if function is not abs:
            return Value(f"({_cast(kind, value)})", kind, value.calls)
        name = self._temporary()
        text = f"({{ {kind.c} {name} = {value.text}; {name} < 0 ? -{name} : {name}; }})"
        return Value(text, kind, value.calls)

    def _callee(self, node: ast.Call) -> Any:
        match node.func:
            case ast.Name(name) if isinstance(kind := self._kinds.get(name), Kernel):
                return kind.function
            case ast.Name(name):
                scope = self._function.__globals__
                return scope.get(name, vars(__import__("builtins")).get(name))
            case ast.Attribute(ast.Name(owner), name):
                return getattr(self._function.__globals__.get(owner), name, None)
            case _:
                raise self._refusal(node, "kernels may not call this")

    def _extreme(self, node: ast.Call, sign: str, values: list[Value]) -> Value:
        """Return the smallest or largest of some numbers, the first of equal ones."""
        best, *others = values
        for value in others:
            kind = self._shared(node, best, value)
            one, other = self._temporary(), self._temporary()
            text = (
                f"({{ {kind.c} {one} = {best.text}; {kind.c} {other} = {value.text};"
                f" {other} {sign} {one} ? {other} : {one}; }})"
            )
            best = Value(text, kind, best.calls or value.calls)
        return best

    def _kernel_call(self, node: ast.Call, callee: Function) -> Value:
        parameters, result = read_signature(callee, registered(callee)[1])
        names = [argument.arg for argument in _definition(callee).args.args]
        if len(parameters) != len(node.args):
            raise self._refusal(node, f"the kernel takes {len(parameters)} arguments")
        values = [self._value(argument) for argument in node.args]
        given: dict[str, Function] = {}
        texts, before = [], ""
        for place, (name, kind, value) in enumerate(zip(names, parameters, values, strict=True)):
            if isinstance(kind, Kernel) and isinstance(value.kind, Kernel):
                assert value.kind.function is not None
                given[name] = value.kind.function
                continue
            if isinstance(kind, Number) != isinstance(value.kind, Number) or (
                not isinstance(kind, Number) and kind != value.kind
            ):
                raise self._refusal(node, f"the argument {name} has another type")
            text = value.text
            if value.calls or any(later.calls for later in values[place + 1 :]):
                text = self._temporary()
                assert not isinstance(kind, Kernel)
                before += f"{kind.c} {text} = {value.text}; "
            texts.append(text)
        text = f"{self._program.add(callee, given)}({', '.join(texts)})"
        return Value(f"({{ {before}{text}; }})" if before else text, result, calls=True)


def _variable(name: str) -> str:
    return f"{name}_" if name in _RESERVED else name


def _calls(values: Iterable[Value]) -> bool:
    return any(value.calls for value in values)


def _cast(kind: Number, value: Value) -> str:
    return value.text if value.kind == kind else f"({kind.c}){value.text}"


def _compared(one: Value, operator: ast.cmpop, other: Value) -> str:
    """Return a comparison of two numbers, of which signed ones may be negative."""
    assert isinstance(one.kind, Number)
    assert isinstance(other.kind, Number)
    kind = arithmetic(one.kind, other.kind)
    return f"({_cast(kind, one)} {_COMPARISONS[type(operator)]} {_cast(kind, other)})"
