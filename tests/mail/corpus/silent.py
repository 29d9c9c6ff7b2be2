"""Mail of programs and mail servers, some of which is ignored."""

from __future__ import annotations

from collections.abc import Mapping

from tests.mail.corpus.builder import Case, Expected, Setting, What, mail, multipart, part

_IGNORED = Expected(what=What.IGNORED, comment=None)


def cases(setting: Setting) -> list[Case]:
    return [*_marked(setting), *_reports(setting), *_verdicts(setting)]


def _marked(setting: Setting) -> list[Case]:
    marks: dict[str, Mapping[str, bytes | str]] = {
        "auto-replied": {"Auto-Submitted": "auto-replied (vacation)"},
        "auto-generated": {"Auto-Submitted": "Auto-Generated; owner=x"},
        "bulk": {"Precedence": "bulk"},
        "junk": {"precedence": " Junk "},
        "auto_reply": {"Precedence": "auto_reply"},
        "mailing list": {"List-Id": "Games <games.lists.example>"},
        "newsletter": {"List-Unsubscribe": "<mailto:x@y.example>"},
        "x-autoreply": {"X-Autoreply": "yes"},
        "x-autorespond": {"X-Autorespond": "away"},
        "exchange": {"X-Auto-Response-Suppress": "All"},
        "exchange, several": {"X-Auto-Response-Suppress": "DR, OOF, AutoReply"},
        "own loop": {"X-Antipodes-Site": setting.site},
        "loop of another site": {"X-Antipodes-Site": "other.example"},
        "failed recipients": {"X-Failed-Recipients": "x@y.example"},
    }
    found = [
        mail(setting, f"automatic: {name}", setting.move, None, fields, _IGNORED)
        for name, fields in marks.items()
    ]
    away = ["Automatic reply", "Out of Office", "Automatische Antwort", "Réponse automatique"]
    found += [
        mail(setting, f"automatic: {word}", "I am away", f"{word}: {setting.subject}", {}, _IGNORED)
        for word in away
    ]
    own = {"Message-ID": f"<mail.1.2@{setting.site}>"}
    return [
        *found,
        mail(
            setting,
            "automatic: own message-id",
            setting.move,
            None,
            own,
            _IGNORED,
            without=("Message-ID",),
        ),
        mail(
            setting,
            "not automatic: auto-submitted no",
            setting.move,
            None,
            {"Auto-Submitted": "no (a person)"},
        ),
        mail(
            setting,
            "not automatic: precedence first-class",
            setting.move,
            None,
            {"Precedence": "first-class"},
        ),
        mail(
            setting,
            "not automatic: wants no receipts",
            setting.move,
            None,
            {"X-Auto-Response-Suppress": "DR, RN, NRN"},
        ),
    ]


def _reports(setting: Setting) -> list[Case]:
    bounce = Expected(what=What.IGNORED, comment=None, envelope="")
    status = part("message/delivery-status", "Reporting-MTA: dns; x\n\nAction: failed\n")
    letter = part("message/rfc822", f"Subject: {setting.subject}\n\n{setting.email}")
    fields, body = multipart("report", part("text/plain", "It failed."), status, letter)
    receipt = part("message/disposition-notification", "Disposition: manual-action; displayed\n")
    read_fields, read = multipart("report", part("text/plain", "Read."), receipt)
    daemon = {"From": f"Mail Delivery System <MAILER-DAEMON@{setting.site}>"}
    return [
        mail(setting, "bounce with the null sender", setting.move, expected=bounce),
        mail(
            setting,
            "bounce that notes the null sender",
            setting.move,
            None,
            {"Return-Path": "<>"},
            _IGNORED,
        ),
        mail(setting, "report of delivery", body, "Undelivered", fields, _IGNORED),
        mail(setting, "report of reading", read, "Read: x", read_fields, _IGNORED),
        mail(
            setting,
            "mailer-daemon",
            setting.move,
            None,
            daemon,
            _IGNORED,
            without=("From",),
        ),
    ]


def _verdicts(setting: Setting) -> list[Case]:
    domain = setting.address.rpartition("@")[2]
    mta = setting.mta
    told = {
        "forged, by dmarc": (f"{mta}; dmarc=fail header.from={domain}", "fail"),
        "forged, by spf": (f"{mta}; spf=fail smtp.mailfrom=x@evil.example; dkim=none", "fail"),
        "genuine, by dmarc": (f"{mta}; spf=fail; dmarc=pass header.from={domain}", "pass"),
        "genuine, by dkim": (f"{mta} 1; spf=fail; dkim=pass (good) header.d={domain}", "pass"),
        "forwarded": (f"{mta}; spf=pass smtp.mailfrom=list@other.example; dkim=fail", "none"),
        "said by others": (f"mx.evil.example; dmarc=fail header.from={domain}", "none"),
        "nothing was found": (f"{mta}; none", "none"),
    }
    found = []
    for name, (value, verdict) in told.items():
        what = What.IGNORED if verdict == "fail" else What.MOVE
        expected = Expected(what=what, comment="", verdict=verdict)
        fields = {"Authentication-Results": value}
        found.append(mail(setting, name, setting.move, None, fields, expected))
    return found
