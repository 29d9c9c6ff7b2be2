"""Reports of experiments as pages: question, results with plots, method, what is proven.

A report is of a folder of results, or of the measurements that come with the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from antipodes.games.kernels import placement
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game
from antipodes.lab.balance import Balance
from antipodes.lab.experiment import Experiment
from antipodes.lab.intervals import estimated_share
from antipodes.lab.knowledge import answers
from antipodes.lab.sections import Section, Table, interval, share_plot
from antipodes.lab.tasks import build
from antipodes.search.proof.openings import openings_of
from antipodes.search.proof.pairing_strategy import find_pairing_strategy

_MOVES = 3  # first moves of a setting that are shown
_FEWEST = 5  # games of such a first move

_STYLE = """
:root { color-scheme: light dark; --page: #fbfaf7; --ink: #222; --line: #d5d2c8; --goal: #e4ebe0;
  --dot: #24405f; }
@media (prefers-color-scheme: dark) { :root { --page: #17181a; --ink: #e8e6e0; --line: #44464a;
  --goal: #26331f; --dot: #9cc3ef; } }
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); }
svg { display: block; width: 100%; max-width: 26rem; margin: 1rem 0; }
svg .ink, svg .faint { fill: var(--ink); }
svg .grid { stroke: var(--line); }
svg .goal { fill: var(--goal); }
svg .whisker, svg .dot { stroke: var(--dot); fill: none; }
"""


@dataclass(frozen=True, slots=True)
class Report:
    """A report.

    Attributes:
        title: the question.
        lead: a sentence below it.
        sections: the parts.
    """

    title: str
    lead: str
    sections: tuple[Section, ...]

    def as_html(self) -> str:
        """Return the report as a page that needs no other file."""
        title = escape(self.title)
        parts = [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>",
            f"<h1>{title}</h1>\n<p>{escape(self.lead)}</p>",
            *(line for section in self.sections for line in _section_html(section)),
            "</main>\n</body>\n</html>\n",
        ]
        return "\n".join(parts)

    def figures(self) -> dict[str, str]:
        """Return each plot as an SVG file of its own, by the key of its section."""
        return {
            section.key: share_plot(
                section.table, str(section.title), xmlns="http://www.w3.org/2000/svg"
            )
            for section in self.sections
            if section.table is not None and section.table.shares
        }


def _section_html(section: Section) -> Iterable[str]:
    title = escape(str(section.title))
    yield f'<section id="{escape(section.key)}">\n<h2>{title}</h2>'
    yield from (f"<p>{escape(str(text))}</p>" for text in section.paragraphs)
    table = section.table
    if table is not None and table.rows:
        if table.shares:
            said = f"{section.title} The table below has the same shares with their intervals."
            yield share_plot(table, said)
        yield _table_html(table, title)
    if section.code:
        yield f'<pre tabindex="0"><code>{escape(section.code)}</code></pre>'
    yield "</section>"


def _table_html(table: Table, title: str) -> str:
    def row(cells: Iterable[object], name: str) -> str:
        return "<tr>" + "".join(f"<{name}>{escape(str(cell))}</{name[:2]}>" for cell in cells)

    lines = [row(table.head, 'th scope="col"'), *(row(cells, "td") for cells in table.rows)]
    begin = f'<div class="scroll" role="region" tabindex="0" aria-label="{title}">'
    return "\n".join([f"{begin}<table>", *lines, "</table></div>"])


def summary_report() -> Report:
    """Return the report of the measurements that come with the program."""
    commands = (
        "antipodes lab balance antipod --set side=4..6 --player computer:3 --player computer:5"
        " --games 200 --out results\n"
        "antipodes lab fair antipod --set side=4..6 --player computer:3 --player computer:5"
        " --games 300 --out results\n"
        "antipodes lab report results"
    )
    repeat = Section("repeat", "How to repeat it", (_START,), code=commands)
    return Report(
        "Are the games fair?",
        "What games between equal computer players show about the balance of the games, and what"
        " is proven.",
        (*answers(), repeat),
    )


_START = (
    "Games begin at the start position without openings, because its balance is the question."
    " Games that are in the folder are not played again."
)


def experiment_report(
    folder: str, balances: Sequence[Balance], versions: Iterable[str], plan: Experiment | None
) -> Report:
    """Return the report of a folder of results.

    Args:
        folder: its name, for commands.
        balances: the results of each setting that has games.
        versions: of the program, that of each row.
        plan: the experiment in the folder, or ``None`` if other commands filled it.
    """
    games = sum(one.games for one in balances)
    titles = dict.fromkeys(one.setting.game.title for one in balances)
    title = plan.title if plan is not None and plan.title else f"Balance of {', '.join(titles)}"
    return Report(
        title,
        f"{games} games with {len(balances)} combinations of options and players.",
        (
            Section("results", "Results", (_RESULTS,), _results_table(balances)),
            *_first_moves(balances),
            _method(balances, versions, plan),
            _proven([one.setting.game for one in balances]),
            _repeat(folder, plan),
        ),
    )


_RESULTS = (
    "Shares have 95 % intervals (Wilson). A draw is shared by all colours. The shaded band, from 45"
    " to 55 %, is what counts as fair here. A share belongs to players of this strength."
)


def _names(balance: Balance) -> tuple[str, str]:
    """Return options and player of a setting in words."""
    options = balance.setting.game.options.changed()
    words = " ".join(f"{name}={value}" for name, value in options.items())
    return f"{balance.setting.game.title} {words}".strip(), balance.setting.player


def _results_table(balances: Sequence[Balance]) -> Table:
    rows = []
    for one in balances:
        colors = one.setting.game.colors
        wins = ", ".join(f"{color.title} {one.wins[color]}" for color in colors)
        swaps = f"{one.swaps / one.games:.0%}" if one.games and one.swaps else "–"
        more = (str(one.games), wins, str(one.draws), interval(one.share()), one.of.title)
        rows.append((*_names(one), *more, f"{one.length:.0f}", swaps))
    head = ("options", "player", "games", "wins", "draws", "share", "of", "moves", "swaps")
    return Table(head, tuple(rows), tuple(one.share() for one in balances), 2)


def _first_moves(balances: Sequence[Balance]) -> Iterable[Section]:
    rows = []
    for balance in balances:
        first_moves = sorted(balance.openings.items(), key=lambda item: (-item[1][0], item[0]))[
            :_MOVES
        ]
        for move, (games, points) in first_moves:
            if games >= _FEWEST:
                share = interval(estimated_share(points, games))
                rows.append((*_names(balance), move, str(games), share, balance.of.title))
    if rows:
        text = "The first moves that were played most; moves that are symmetric count as one."
        head = ("options", "player", "first move", "games", "share", "of")
        yield Section("first-moves", "First moves", (text,), Table(head, tuple(rows)))


def _method(
    balances: Sequence[Balance], versions: Iterable[str], plan: Experiment | None
) -> Section:
    failed = sum(one.failed for one in balances)
    hours = sum(one.cpu for one in balances) / 3600
    openings = any(one.openings for one in plan.series) if plan else False
    begin = "Games begin with the openings of the experiment in turn." if openings else _START
    counted = ", ".join(
        f"{version} ({count} games)" for version, count in sorted(Counter(versions).items())
    )
    texts = [
        f"All seats have the players named in the table. {begin}",
        f"The games took {hours:.3g} hours of CPU time.",
        f"{failed} games in which a player failed are not counted in any share.",
        f"Versions of the program: {counted}. This report was made with {build()}.",
    ]
    if plan is not None:
        series = plan.series[0]
        until = f" or until the interval is at most {series.width} wide" if series.width else ""
        texts.insert(1, f"{series.games} games of each setting{until}; seed {series.seed}.")
    return Section("method", "Method", tuple(texts))


def _proven(games: Iterable[Game]) -> Section:
    winners = {}
    for game in games:
        winner = proven_winner(game)
        if winner:
            words = " ".join(f"{name}={value}" for name, value in game.options.changed().items())
            winners[f"{game.title} {words}".strip()] = winner
    if not winners:
        text = "The winner of none of these settings is proven: all shares are estimates."
        return Section("proven", "Proven results", (text,))
    text = "With perfect play these settings are decided. All other statements are estimates."
    table = Table(("options", "winner"), tuple(winners.items()))
    return Section("proven", "Proven results", (text,), table)


def proven_winner(game: Game) -> str:
    """Return the colour that is proven to win a game from its start, or an empty text."""
    if not is_connection_game(game) or game.swap_mode != placement.NO_SWAPS:
        return ""
    start = openings_of(game).start
    if start is not None:
        return start.title
    strategy = find_pairing_strategy(game.initial())
    return "" if strategy is None else strategy.winner.title


def _repeat(folder: str, plan: Experiment | None) -> Section:
    if plan is None:
        text = "The same commands as before go on with the games in the folder; this one reports."
        return Section("repeat", "How to repeat it", (text,), code=f"antipodes lab report {folder}")
    text = "Keep the lines below as experiment.toml, and play them in any folder:"
    command = "antipodes lab run experiment.toml --out results\nantipodes lab report results"
    code = f"{command}\n\n# experiment.toml\n{plan.text}"
    return Section("repeat", "How to repeat it", (text,), code=code)
