"""Laws of reports: every measurement is shown, what is proven is said, and texts are escaped."""

import xml.etree.ElementTree as ET

from antipodes.games.registry import make_game
from antipodes.lab.balance import tallied
from antipodes.lab.intervals import estimated_share
from antipodes.lab.pdf import as_pdf
from antipodes.lab.report import experiment_report, proven_winner, summary_report
from antipodes.lab.sections import Table, share_plot
from antipodes.lab.tasks import GameTask

from .lab_rows import row_of

SVG = "{http://www.w3.org/2000/svg}"


def rows_of(game, wins):
    """Return rows of games that Black has won or not."""
    tasks = (GameTask.numbered(game, ["random"], 1, number + 1) for number in range(len(wins)))
    winners = ("black" if won else "white" for won in wins)
    return [row_of(*one, moves="b2") for one in zip(tasks, winners, strict=True)]


def test_a_plot_has_a_dot_and_an_interval_for_each_share():
    shares = tuple(estimated_share(wins, 20) for wins in (0, 7, 20))
    table = Table(("side", "player"), (("4", "a"), ("5", "<b>"), ("6", "c")), shares, 2)
    root = ET.fromstring(share_plot(table, "Who wins?", xmlns="http://www.w3.org/2000/svg"))
    dots = [one for one in root.iter(f"{SVG}path") if one.get("class") == "dot"]
    places = [float(one.get("d", "")[1:].split()[0]) for one in dots]
    assert places == sorted(places)
    left, _, right = places
    assert abs((places[1] - left) / (right - left) - 0.35) < 0.01
    assert len([one for one in root.iter(f"{SVG}path") if one.get("class") == "whisker"]) == 3
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert "5 · <b>" in words


def test_a_report_of_a_folder_has_results_method_and_what_is_proven():
    side = make_game("antipod", {"side": 3})
    rows = rows_of(side, [True] * 7 + [False] * 3)
    found = list(tallied(rows).balances.values())
    page = experiment_report("a & b", found, ["1.0"] * 10, None).as_html()
    for text in ("Antipod side=3", "70\u00a0% (40–89)", "1.0 (10 games)", "a &amp; b"):
        assert text in page
    assert "<td>Antipod side=3</td><td>Black</td>" in page
    assert page.count("<svg") == 1


def test_what_is_proven_is_what_the_solver_says():
    for options, winner in (
        ({"side": 4}, "Black"),
        ({"side": 9, "handicap": "none"}, "Black"),
        ({"side": 10}, ""),
        ({"side": 3, "swap": "on"}, ""),
    ):
        assert proven_winner(make_game("antipod", options)) == winner
    assert proven_winner(make_game("antipode")) == ""


def test_the_report_of_the_program_has_every_question():
    report = summary_report()
    page = report.as_html()
    for section in report.sections:
        assert f'<section id="{section.key}">' in page
    assert page.count("<svg") == sum(
        bool(one.table and one.table.shares) for one in report.sections
    )


def test_each_plot_is_a_figure_of_its_own():
    report = summary_report()
    figures = report.figures()
    assert len(figures) == report.as_html().count("<svg")
    assert set(figures) <= {section.key for section in report.sections}
    for svg in figures.values():
        assert ET.fromstring(svg).tag == f"{SVG}svg"


def test_a_figure_becomes_a_page_of_pdf_whatever_its_letters():
    table = Table(("player",), (("Αντίποδες · 1",),), (estimated_share(7, 20),), 1)
    plot = share_plot(table, "Who wins?", xmlns="http://www.w3.org/2000/svg")
    page = as_pdf(plot)
    assert page.startswith(b"%PDF-")
    width, height = ET.fromstring(plot).get("viewBox", "").split()[2:]
    assert f"/MediaBox [0 0 {float(width):.2f} {float(height):.2f}]".encode() in page
