"""Programs that speak GTP well or badly, as command lines: this file is run with a behaviour."""

import shlex
import sys
import time


def command(behaviour):
    """Return the command line of a program that behaves so."""
    return f"{shlex.quote(sys.executable)} {shlex.quote(__file__)} {behaviour}"


OURS = f"{shlex.quote(sys.executable)} -m antipodes gtp"


def main(behaviour):
    """Play Hex: the first point that is free, by the simplest means."""
    taken: set[str] = set()
    size, moves = 11, 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        name, *arguments = words
        answer = "= "
        if name == "quit":
            print("= \n", flush=True)
            return
        if name == "name":
            answer = "= Simple"
        elif (behaviour, name) in (("nameless", "version"), ("unknowing", "known_command")):
            answer = "? unknown command"
        elif name == "known_command":
            answer = "= true" if arguments[0] == "genmove" else "= false"
        elif name == "boardsize":
            if behaviour == "small" and int(arguments[0]) > 9:
                answer = "? unacceptable size"
            size = int(arguments[0])
        elif name == "clear_board":
            taken = set()
        elif name == "play":
            if behaviour == "refuse":
                answer = "? illegal move"
            taken.add(arguments[1].lower())
        elif name == "genmove":
            moves += 1
            answer = misbehave(behaviour, moves, taken) or f"= {free_point(size, taken)}"
        if behaviour == "blank":
            print("\n  ")
        print(f"{answer}\n", flush=True)


def free_point(size, taken):
    """Return the first point that is free, and take it."""
    for row in range(1, size + 1):
        for column in range(size):
            text = f"{chr(97 + column)}{row}"
            if text not in taken:
                taken.add(text)
                return text.upper()
    return "pass"


def misbehave(behaviour, moves, taken):
    """Return a bad answer, never return, or return nothing where all is well."""
    if behaviour == "crash" and moves == 2:
        sys.exit("out of cheese")
    if behaviour == "hang":
        time.sleep(600)
    if behaviour == "garbage":
        return "lalala"
    if behaviour == "babble":
        while True:
            print("= and so on", flush=True)
    if behaviour == "occupied" and taken:
        return f"= {min(taken)}"
    if behaviour == "nonsense":
        return "= zz99"
    if behaviour == "resign":
        return "= resign"
    return None


if __name__ == "__main__":
    main(sys.argv[1])
