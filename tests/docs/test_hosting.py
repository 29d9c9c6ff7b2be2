"""The page for hosts tells every variable of the environment that the site reads, and no others."""

import ast
import re
from pathlib import Path

from tests.docs.pages import DOCS, text_of

ROOT = Path(__file__).resolve().parents[2]

# Read by the command line, and by the library that serves.
ELSEWHERE = {"ANTIPODES_WORKERS", "FORWARDED_ALLOW_IPS"}


def is_environment(node):
    text = ast.unparse(node.func)
    return re.fullmatch(r"env\.\w+|os\.environ\.get|config\.env\.\w+", text) is not None


def read_by_the_site():
    return {
        node.args[0].value
        for path in (ROOT / "src/antipodes/web").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and is_environment(node) and node.args
        if isinstance(node.args[0], ast.Constant)
    }


def test_every_variable_is_told_and_is_read():
    table = text_of(DOCS / "hosting.md").partition("## Variables")[2]
    told = re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)
    assert len(told) == len(set(told))
    assert set(told) - ELSEWHERE == read_by_the_site()


def test_the_example_of_an_environment_has_known_variables_alone():
    text = (ROOT / "deploy/antipodes.env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^#?([A-Z_]+)=", text, re.MULTILINE))
    table = text_of(DOCS / "hosting.md").partition("## Variables")[2]
    told = set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))
    assert named <= told | {"POSTGRES_PASSWORD", "REDIS_PASSWORD", "SITE_ADDRESS"}
