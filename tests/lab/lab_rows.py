"""Rows of games that were never played, with a result of choice."""

from antipodes.lab.tasks import GameRow


def row_of(task, winner, *, moves="", reason="connection", colors=("white", "black"), **more):
    """Return the row of a task that a colour has won; ``None`` is a draw."""
    return GameRow(
        id=task.id,
        game=task.game,
        options=task.options,
        players=task.players,
        seed=task.seed,
        opening=task.opening,
        colors=colors,
        winner=winner,
        reason=reason,
        plies=more.get("plies", 20),
        points=1,
        swapped=more.get("swapped", False),
        moves=moves,
        turns=(10, 10),
        seconds=(0.5, 0.25),
        cpu=(0.5, 0.25),
        failing=None,
        text="",
        version="test",
    )
