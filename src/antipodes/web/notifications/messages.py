"""Texts of notifications, built when they are shown, in the reader's language.

Arguments of each kind, beside the match and the player who acted:

==================  ===============================================================
``your-turn``       ``move`` (text of the previous move, may be missing)
``match-began``     ``turn`` (1 for the player who moves first)
``match-ended``     ``outcome`` (``won``, ``lost``, ``drawn``, ``void``, ``over``), ``reason``
``invited``         ``game``, or ``club``, or ``title`` of a tournament
``offer``           ``sentence`` (a key of :data:`antipodes.match.sentences.SENTENCES`)
``chat``            ``text``, ``count``
``reminder``        ``deadline`` (milliseconds since 1970)
``flag-fell``       ``outcome``
``followed-plays``  ``act`` (``began``, ``ended``, ``moved`` with ``move``, ``over`` with
                    ``result``), ``game`` where there is no match
``tournament``      ``title``, ``act`` (``entered``, ``check-in``, ``paired`` with ``round`` for a
                    bye, ``adjudicated`` with ``round``, ``left`` before the start, ``withdrawn``,
                    ``dropped``, ``finished`` with ``rank``, ``cancelled``), ``reason``,
                    ``of_site`` (1 if the site gave it)
``daily-puzzle``    ``puzzle`` (its id), ``game``
``moderation``      ``act`` (a kind of sanction, may be missing), ``text``
``mail-fails``      ``address``
``secrets``         ``masked`` (their kinds, with spaces between them)
==================  ===============================================================

Missing arguments are left out; building a text never fails.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from antipodes.errors import InputError
from antipodes.games.registry import game_ids
from antipodes.match.sentences import SENTENCES, sentence
from antipodes.web.accounts.masking import told
from antipodes.web.matches.labels import game_label
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.platform.translations import phrase_text, result_text


def text_of(row: NotificationRow) -> str:
    return _TEXTS[NotificationKind(row.kind)](row)


def title_of(row: NotificationRow) -> str:
    """Return a title: the game and its players, or the label of the kind."""
    if row.match is None:
        return str(NotificationKind(row.kind).label)
    return title_of_match(row)


def title_of_match(row: NotificationRow) -> str:
    """Name the game of a match and the other players."""
    others = others_of(row)
    if not others:
        return game_of(row)
    about = {"game": game_of(row), "others": others}
    if row.match is not None and row.user_id in {seat.user_id for seat in row.match.seats.all()}:
        return _("%(game)s with %(others)s") % about
    return _("%(game)s between %(others)s") % about


def game_of(row: NotificationRow) -> str:
    """Name the game, without its options, which would make sentences hard to read."""
    named = row.arguments.get("game", "") if row.match is None else row.match.game_id
    try:
        return game_label(str(named), {})
    except (InputError, LookupError):
        return _("a game")


def others_of(row: NotificationRow) -> str:
    """Name the recipient's opponents; all players, if the recipient does not play."""
    if row.match is None:
        return ""
    seats = list(row.match.seats.all())
    names = [seat.user.name for seat in seats if seat.user_id != row.user_id]
    return ", ".join(dict.fromkeys(names))


def format_instant(milliseconds: int) -> str:
    """Format an instant as date and time in the active time zone."""
    local = datetime.fromtimestamp(milliseconds / 1000, get_current_timezone())
    return date_format(local, "DATETIME_FORMAT")


def _who(row: NotificationRow) -> str:
    return _("A player") if row.by is None else row.by.name


def _sentence(row: NotificationRow, key: str) -> str:
    """Return the sentence about what the player of a notification did."""
    values = {name: row.arguments.get(name, "") for name in ("move", "number")}
    if row.by is not None:
        values["player"] = row.by.name
    return phrase_text(sentence(key, **values))


def _about(row: NotificationRow) -> dict[str, object]:
    """Return the values that most sentences need."""
    return {"game": game_of(row), "others": others_of(row), "who": _who(row)}


def _your_turn(row: NotificationRow) -> str:
    about = _about(row)
    if row.arguments.get("move"):
        about["sentence"] = _sentence(row, "moved")
        if row.arguments.get("dropped"):
            template = _(
                "%(sentence)s Your conditional move is no longer legal; "
                "it is your turn in %(game)s."
            )
            return template % about
        return _("%(sentence)s It is your turn in %(game)s.") % about
    return _("It is your turn in %(game)s with %(others)s.") % about


def _match_began(row: NotificationRow) -> str:
    if row.arguments.get("turn"):
        return _("%(game)s with %(others)s has begun. It is your turn.") % _about(row)
    return _("%(game)s with %(others)s has begun.") % _about(row)


def _match_ended(row: NotificationRow) -> str:
    about = {**_about(row), "reason": _reason(str(row.arguments.get("reason", "")))}
    outcome = row.arguments.get("outcome")
    if outcome == "void":
        return _("%(game)s with %(others)s was aborted.") % about
    if about["reason"]:
        return _ENDED_BECAUSE.get(str(outcome), _over_because)() % about
    return _ENDED.get(str(outcome), _over)() % about


# Functions, so that sentences are extracted whole and translated when they are shown.
_ENDED_BECAUSE: dict[str, Callable[[], str]] = {
    "won": lambda: _("You won %(game)s against %(others)s (%(reason)s)."),
    "lost": lambda: _("You lost %(game)s against %(others)s (%(reason)s)."),
    "drawn": lambda: _("%(game)s with %(others)s is drawn (%(reason)s)."),
}
_ENDED: dict[str, Callable[[], str]] = {
    "won": lambda: _("You won %(game)s against %(others)s."),
    "lost": lambda: _("You lost %(game)s against %(others)s."),
    "drawn": lambda: _("%(game)s with %(others)s is drawn."),
}


def _over() -> str:
    return _("%(game)s with %(others)s is over.")


def _over_because() -> str:
    return _("%(game)s with %(others)s is over (%(reason)s).")


def _reason(reason: str) -> str:
    return {
        "resignation": _("resignation"),
        "agreement": _("agreement"),
        "time": _("time"),
        "forfeit": _("forfeit"),
        "repetition": _("repetition"),
        "move-limit": _("move limit"),
    }.get(reason, "")


def _invited(row: NotificationRow) -> str:
    club = row.arguments.get("club")
    if club:
        return _("%(who)s invites you to the club %(club)s.") % {**_about(row), "club": club}
    title = row.arguments.get("title")
    if title:
        return _("%(who)s invites you to the tournament %(title)s.") % {
            **_about(row),
            "title": title,
        }
    return _("%(who)s invites you to a game of %(game)s.") % _about(row)


def _offer(row: NotificationRow) -> str:
    key = str(row.arguments.get("sentence"))
    if key not in SENTENCES:
        return _("There is an offer in %(game)s with %(others)s.") % _about(row)
    return _("%(game)s: %(sentence)s") % {**_about(row), "sentence": _sentence(row, key)}


def _chat(row: NotificationRow) -> str:
    count = int(row.arguments.get("count", 1))
    about = {**_about(row), "text": row.arguments.get("text", ""), "count": count}
    if count == 1:
        return _("%(who)s in %(game)s: %(text)s") % about
    return (
        ngettext(
            "%(count)d new chat message in %(game)s. %(who)s: %(text)s",
            "%(count)d new chat messages in %(game)s. %(who)s: %(text)s",
            count,
        )
        % about
    )


def _reminder(row: NotificationRow) -> str:
    about = {**_about(row), "when": format_instant(int(row.arguments.get("deadline", row.made_at)))}
    return _("Your time in %(game)s with %(others)s runs out on %(when)s.") % about


def _flag_fell(row: NotificationRow) -> str:
    about = _about(row)
    outcome = row.arguments.get("outcome")
    if outcome == "lost":
        return _("You ran out of time and lost %(game)s against %(others)s.") % about
    if outcome == "won":
        return _("You won %(game)s against %(others)s on time.") % about
    return _("%(game)s with %(others)s ended on time.") % about


def _followed_plays(row: NotificationRow) -> str:
    act = row.arguments.get("act")
    about = _about(row)
    if act == "ended":
        return _("%(who)s finished a game of %(game)s.") % about
    if act == "moved":
        about["sentence"] = _sentence(row, "moved")
        return _("%(game)s, which you follow: %(sentence)s") % about
    if act == "over" and row.match is not None and row.match.result is not None:
        about["result"] = result_text(row.match.result)
        return _("%(game)s between %(others)s, which you follow, is over: %(result)s.") % about
    return _("%(who)s started a game of %(game)s.") % about


def _tournament(row: NotificationRow) -> str:
    act = str(row.arguments.get("act", ""))
    names = ("title", "round", "rank", "reason")
    about = {name: row.arguments.get(name, "") for name in names}
    if about["reason"] and row.arguments.get("of_site"):
        about["reason"] = _(str(about["reason"]))
    if act == "finished" and not about["rank"]:
        return _("%(title)s is finished.") % about
    if act == "finished" and about["reason"]:
        return _("%(title)s ended early, your rank is %(rank)s: %(reason)s") % about
    text = _acts_of_tournaments().get(act)
    return _("%(title)s has changed.") % about if text is None else text % about


def _acts_of_tournaments() -> dict[str, str]:
    out = _("You are out of %(title)s: %(reason)s")
    return {
        "entered": _(
            "You are entered in the next season of %(title)s. Leave it if you do not play."
        ),
        "check-in": _("Check in for %(title)s now, or you are not paired."),
        "paired": _("You have a bye in round %(round)s of %(title)s."),
        "adjudicated": _(
            "The director of %(title)s decided your pairing in round %(round)s: %(reason)s"
        ),
        "proven": _(
            "The computer has proven the result of your game in round %(round)s of %(title)s."
        ),
        "left": out,
        "withdrawn": out,
        "dropped": _(
            "You have dropped in %(title)s, since you had no game for long. Challenge a player."
        ),
        "finished": _("%(title)s is finished; your rank is %(rank)s."),
        "cancelled": _("%(title)s is cancelled: %(reason)s"),
        "changed": _("The host of %(title)s has changed its title, description or start."),
    }


def _daily_puzzle(row: NotificationRow) -> str:
    game = str(row.arguments.get("game", ""))
    if game not in game_ids():
        return _("The puzzle of the day is here.")
    return _("The puzzle of the day is one of %(game)s.") % {"game": game_label(game, {})}


def _moderation(row: NotificationRow) -> str:
    reason = str(row.arguments.get("text", ""))
    sentence = _decisions().get(str(row.arguments.get("act", "")))
    if sentence is not None:
        return sentence % {"reason": reason}
    return reason or _("The moderators sent you a message.")


def _decisions() -> dict[str, str]:
    return {
        "warning": _("Warning from the moderators: %(reason)s"),
        "mute": _("The moderators muted you: %(reason)s"),
        "suspension": _("The moderators suspended your account: %(reason)s"),
        "renaming": _("The moderators changed your user name: %(reason)s"),
        "line": _("The moderators deleted a chat message of yours: %(reason)s"),
        "void": _("The moderators made one of your rated games casual: %(reason)s"),
        "study": _("The moderators hid a study of yours from others: %(reason)s"),
        "text": _("The moderators deleted a text of yours in a study: %(reason)s"),
        "counted": _("The moderators made one of your games rated again: %(reason)s"),
        "lifted": _("The moderators lifted a decision about you: %(reason)s"),
    }


def _mail_fails(row: NotificationRow) -> str:
    about = {"address": row.arguments.get("address", "")}
    return _("E-mails to %(address)s bounce, so no more are sent there.") % about


def _secrets(row: NotificationRow) -> str:
    return told(str(row.arguments.get("masked", "")).split())


_TEXTS: dict[NotificationKind, Callable[[NotificationRow], str]] = {
    NotificationKind.YOUR_TURN: _your_turn,
    NotificationKind.MATCH_BEGAN: _match_began,
    NotificationKind.MATCH_ENDED: _match_ended,
    NotificationKind.INVITED: _invited,
    NotificationKind.OFFER: _offer,
    NotificationKind.CHAT: _chat,
    NotificationKind.REMINDER: _reminder,
    NotificationKind.FLAG_FELL: _flag_fell,
    NotificationKind.FOLLOWED_PLAYS: _followed_plays,
    NotificationKind.TOURNAMENT: _tournament,
    NotificationKind.DAILY_PUZZLE: _daily_puzzle,
    NotificationKind.MODERATION: _moderation,
    NotificationKind.MAIL_FAILS: _mail_fails,
    NotificationKind.SECRETS: _secrets,
}
