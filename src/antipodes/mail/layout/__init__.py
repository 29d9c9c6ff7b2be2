"""Formatter of answers as text; ``docs/mail-format.md`` specifies the format."""

from antipodes.mail.layout.board import board_answer, board_subject, write_board
from antipodes.mail.layout.helping import game_help, help_topics, mail_examples, write_help
from antipodes.mail.layout.html import board_html, html_of, svg_of
from antipodes.mail.layout.items import Answer
from antipodes.mail.layout.replies import (
    preview_answer,
    preview_subject,
    refusal_answer,
    submission_answer,
    write_digest,
    write_news,
    write_preview,
    write_refusal,
    write_submission,
)
from antipodes.mail.layout.report import BoardReport, PlayerLine, Preview
from antipodes.mail.layout.tables import (
    ChallengeLine,
    GameLine,
    HistoryLine,
    StandingLine,
    write_challenges,
    write_clocks,
    write_games,
    write_history,
    write_standings,
    write_table,
)
from antipodes.mail.layout.text import comment_lines, kept_lines, with_footer, write

__all__ = [
    "Answer",
    "BoardReport",
    "ChallengeLine",
    "GameLine",
    "HistoryLine",
    "PlayerLine",
    "Preview",
    "StandingLine",
    "board_answer",
    "board_html",
    "board_subject",
    "comment_lines",
    "game_help",
    "help_topics",
    "html_of",
    "kept_lines",
    "mail_examples",
    "preview_answer",
    "preview_subject",
    "refusal_answer",
    "submission_answer",
    "svg_of",
    "with_footer",
    "write",
    "write_board",
    "write_challenges",
    "write_clocks",
    "write_digest",
    "write_games",
    "write_help",
    "write_history",
    "write_news",
    "write_preview",
    "write_refusal",
    "write_standings",
    "write_submission",
    "write_table",
]
