"""Subjects: encoded, folded, decorated, and with text of people."""

from __future__ import annotations

import base64

from tests.mail.corpus.builder import Case, Expected, Setting, What, mail


def _encoded(text: str, charset: str = "utf-8") -> str:
    return f"=?{charset}?B?{base64.b64encode(text.encode(charset)).decode()}?="


def _quoted(text: str) -> str:
    return "=?UTF-8?Q?" + "".join(f"={byte:02X}" for byte in text.encode()) + "?="


def _refused(code: str, *, exposes: bool = False) -> Expected:
    return Expected(what=What.REFUSED, comment=None, code=code, exposes=exposes)


def cases(setting: Setting) -> list[Case]:
    """Return the cases."""
    whole = f"{setting.subject} {setting.move}"
    said = Expected(comment="Have fun!")
    torn = whole.encode()
    half = len(torn) // 2
    other = f"{setting.game} Board {setting.board + 1} {setting.user} {setting.move}"
    nbsp = "\u00a0"
    return [
        mail(setting, "subject plain", "Have fun!", f"Re: {whole}", expected=said),
        mail(setting, "subject without re", "Have fun!", whole, expected=said),
        mail(setting, "subject in capitals", "", whole.upper()),
        mail(setting, "subject in small letters", "", whole.lower()),
        mail(setting, "subject with prefixes", "", f"AW: Re: FWD: RE[2]: Antw: {whole}"),
        mail(setting, "subject with chinese prefix", "", f"回复：{whole}"),
        mail(setting, "subject with a server's mark", "", f"[EXTERNAL] Re: {whole}"),
        mail(setting, "subject with stars", "", f"Re: {whole} **"),
        mail(setting, "subject with non-breaking spaces", "", whole.replace(" ", nbsp)),
        mail(setting, "subject with invisible characters", "", whole.replace(" ", " \u200b")),
        mail(setting, "subject with tabs", "", f"Re:\t{whole}".replace(" ", "\t ")),
        mail(setting, "subject folded", "", f"Re: {whole}".replace(" ", "\r\n ")),
        mail(setting, "subject folded with bare newlines", "", f"{whole}".replace(" ", "\n\t")),
        mail(setting, "subject in base64", "", f"Re: {_encoded(whole)}"),
        mail(setting, "subject in quoted-printable", "", _quoted(f"Re: {whole}")),
        mail(
            setting,
            "subject in several encoded words",
            "",
            " ".join(_encoded(whole[i : i + 7]) for i in range(0, len(whole), 7)),
        ),
        mail(
            setting,
            "subject torn amid a character",
            "",
            "\r\n ".join(
                f"=?utf-8?B?{base64.b64encode(piece).decode()}?="
                for piece in (
                    b"\xe5\x9b",
                    b"\x9e\xe5\xa4\x8d\xef\xbc\x9a" + torn[:half],
                    torn[half:],
                )
            ),
        ),
        mail(
            setting, "subject in base64 without padding", "", _encoded(whole).replace("=?=", "?=")
        ),
        mail(setting, "subject in an unknown charset", "", _encoded(whole).replace("utf-8", "x-")),
        mail(setting, "subject in iso-2022-jp", "", _encoded(whole, "iso-2022-jp")),
        mail(setting, "subject in utf-16", "", _encoded(whole, "utf-16-be")),
        mail(setting, "subject in bare utf-8", "Have fun!", f"Re :{whole}", expected=said),
        mail(setting, "subject in bare latin-1", "", b"R\xe9: " + whole.encode()),
        mail(setting, "subject with the ply", "", f"{whole}#0"),
        mail(setting, "subject twice", "", whole, {"Subject": "help"}),
        mail(setting, "move alone in the subject", "", f"Re: {setting.move}"),
        mail(setting, "no subject, move in the body", setting.move, without=("Subject",)),
        mail(setting, "other subject, move in the body", setting.move, "Well, let me see"),
        mail(
            setting,
            "password in the subject",
            "",
            f"Re: {setting.subject} correcthorse {setting.move}",
            expected=_refused("mail/password", exposes=True),
        ),
        mail(setting, "another board", "", other, expected=_refused("mail/other-board")),
        mail(setting, "no move anywhere", "Hello!", expected=_refused("mail/no-move")),
        mail(setting, "nothing at all", "", b"", expected=_refused("mail/no-move")),
        mail(
            setting,
            "unknown words",
            "",
            "a question about the rules",
            expected=_refused("mail/no-move"),
        ),
    ]
