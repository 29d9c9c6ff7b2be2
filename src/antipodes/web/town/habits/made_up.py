"""Made-up input: values that fit a JSON Schema, and commands that fit a line of usage."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_DEEPEST = 4  # levels of values
_LONGEST = 2  # items of a list
_GIVEN = 0.5  # chance of a part that may be left out
_DEFAULT = 0.3  # chance to leave a value as the schema says
_HIGHEST = 12  # of numbers, most of which count squares, seats or moves
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_PLACEHOLDER = re.compile(r"\b[A-Z]+\b")

# Given the name of a property, returns a value that a person knows for it; ``None`` for any value.
Known = Callable[[str], Any]


def value(
    schema: Mapping[str, Any], chance: random.Random, known: Known, given: float = _GIVEN
) -> Any:
    """Return a value that fits a JSON Schema, as far as it says.

    Args:
        schema: with its definitions in ``$defs``.
        chance: makes all choices.
        known: asked first for a value of each property.
        given: chance of each part that may be left out.
    """
    return _Maker(schema.get("$defs", {}), chance, known, given).value(schema, "", _DEEPEST)


@dataclass(frozen=True)
class _Maker:
    """Makes values that fit the parts of a schema."""

    definitions: Mapping[str, Any]
    chance: random.Random
    known: Known
    given: float

    def value(self, schema: Mapping[str, Any], name: str, depth: int) -> Any:
        """Return a value that fits a part, with so many levels below it at most."""
        if "$ref" in schema:
            schema = self.definitions[schema["$ref"].rsplit("/", 1)[-1]]
        if "const" in schema or "enum" in schema:
            return self.chance.choice(schema.get("enum") or [schema["const"]])
        if (own := self.known(name)) is not None:
            return own
        if "default" in schema and self.chance.random() < _DEFAULT:
            return schema["default"]
        if options := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
            return self.value(self.chance.choice(options), name, depth)
        match schema.get("type"):
            case "object":
                return self._object(schema, depth)
            case "array" if "prefixItems" in schema:
                return [self.value(each, name, depth - 1) for each in schema["prefixItems"]]
            case "array":
                fewest = schema.get("minItems", 0)
                count = max(fewest, self.chance.randint(0, _LONGEST) if depth > 0 else 0)
                return [self.value(schema.get("items", {}), name, depth - 1) for _ in range(count)]
        return self._plain(schema)

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        must = schema.get("required", ())
        return {
            each: self.value(part, each, depth - 1)
            for each, part in schema.get("properties", {}).items()
            if each in must or (depth > 0 and self.chance.random() < self.given)
        }

    def _plain(self, schema: Mapping[str, Any]) -> Any:
        match schema.get("type"):
            case "integer" | "number":
                low = int(schema.get("minimum", 0))
                high = min(int(schema.get("maximum", low + _HIGHEST)), low + _HIGHEST)
                return self.chance.randint(low, high)
            case "boolean":
                return self.chance.random() < _GIVEN
            case "null":
                return None
        return "".join(self.chance.choices("abcdefg12345", k=max(4, schema.get("minLength", 0))))


def command(usage: str, chance: random.Random, words: Callable[[str], str]) -> str:
    """Return a command that fits a line of usage.

    Args:
        usage: such as ``move BOARD [USERID] MOVE... | help``; parts in brackets may be left out.
        chance: makes all choices.
        words: returns what stands for a word in capitals.
    """
    text = usage
    while (part := _OPTIONAL.search(text)) is not None:
        inner = chance.choice(part[1].split("|")).strip() if chance.random() < _GIVEN else ""
        text = text[: part.start()] + inner + text[part.end() :]
    text = chance.choice(text.split(" | ")).replace("...", "")
    chosen = [chance.choice(word.split("|")) for word in text.split()]
    filled = _PLACEHOLDER.sub(lambda word: words(word[0]), " ".join(chosen))
    return " ".join(filled.split())
