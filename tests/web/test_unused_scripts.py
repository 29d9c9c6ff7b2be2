"""No rule of a stylesheet and no export of a script is left over."""

from __future__ import annotations

import re
from pathlib import Path

WEB = Path(__file__).parents[2] / "src" / "antipodes" / "web"
STATIC = WEB / "static" / "antipodes"
SCRIPTS = {
    path: path.read_text("utf-8")
    for path in sorted(STATIC.rglob("*.js"))
    if path.parent.name != "languages"
}


def test_every_class_of_a_stylesheet_is_named_by_a_template_or_by_code():
    code = [*SCRIPTS.values()]
    code += [path.read_text("utf-8") for path in (*WEB.rglob("*.html"), *WEB.rglob("*.py"))]
    words = set(re.findall(r"[\w-]+", "\n".join(code)))
    # Those that code composes, such as `${kind}-ring`, and those of the forms of Django's admin.
    words |= {part for word in words for part in word.split("-")} | {"changelist", "messagelist"}
    unknown = []
    for path in sorted(STATIC.glob("*.css")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for selector in re.findall(r"([^{};]+)\{", text):
            names = re.findall(r"[.#]([a-zA-Z][\w-]*)", selector)
            unknown += [
                f"{path.name}: {name} in {selector.strip()}"
                for name in names
                if name not in words and not words.issuperset(name.split("-"))
            ]
    assert not unknown, "\n".join(unknown)


def test_every_export_of_a_script_is_imported_by_another_one_or_by_its_tests():
    tests = Path(__file__).parents[1] / "javascript"
    checks = "\n".join(path.read_text("utf-8") for path in tests.glob("*.js"))
    exports = r"^export (?:async )?(?:function\*?|const|let|class) (\w+)"
    unused = [
        f"{path.relative_to(STATIC)}: {name}"
        for path, text in SCRIPTS.items()
        for others in ["\n".join(other for at, other in SCRIPTS.items() if at != path) + checks]
        for name in re.findall(exports, text, re.MULTILINE)
        if not re.search(rf"\b{name}\b", others)
    ]
    assert not unused, "\n".join(unused)
