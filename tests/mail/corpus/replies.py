"""Replies with the move at various places, and quotes of various programs."""

from __future__ import annotations

from tests.mail.corpus.builder import Case, Expected, Setting, What, mail, quoted

ATTRIBUTIONS = {
    "gmail": "On Sat, Nov 21, 2026 at 12:00 PM Games <{to}> wrote:",
    "gmail, broken": "On Sat, Nov 21, 2026 at 12:00 PM Games\n<{to}>\nwrote:",
    "thunderbird": "On 21/11/2026 12:00, Games wrote:",
    "apple mail": "On 21. Nov 2026, at 12:00, Games <{to}> wrote:",
    "german": "Am 21.11.2026 um 12:00 schrieb Games <{to}>:",
    "german, apple": "Am 21.11.2026 um 12:00 schrieb Games\n<{to}>:",
    "french": "Le sam. 21 nov. 2026 à 12:00, Games <{to}> a écrit :",
    "spanish": "El sáb, 21 nov 2026 a las 12:00, Games (<{to}>) escribió:",
    "italian": "Il giorno sab 21 nov 2026 alle ore 12:00 Games <{to}> ha scritto:",
    "dutch": "Op za 21 nov 2026 om 12:00 schreef Games <{to}>:",
    "swedish": "Den lör 21 nov. 2026 kl 12:00 skrev Games <{to}>:",
    "danish": "Den lør. 21. nov. 2026 kl. 12.00 skrev Games <{to}>:",
    "finnish": "la 21. marrask. 2026 klo 12.00 Games ({to}) kirjoitti:",
    "polish": "sob., 21 lis 2026 o 12:00 Games <{to}> napisał(a):",
    "czech": "so 21. 11. 2026 v 12:00 odesílatel Games <{to}> napsal:",
    "portuguese": "Em sáb., 21 de nov. de 2026 às 12:00, Games <{to}> escreveu:",
    "russian": "сб, 21 нояб. 2026 г. в 12:00, Games <{to}>:",
    "japanese": "2026年11月21日(土) 12:00 Games <{to}>:",
    "chinese": "Games <{to}> 于2026年11月21日周六 12:00写道：",
    "korean": "2026년 11월 21일 (토) 오후 12:00, Games <{to}>님이 작성:",
    "turkish": "Games <{to}>, 21 Kas 2026 Cmt, 12:00 tarihinde şunu yazdı:",
}

# Without marks before the quoted lines, and wrapped as Gmail does it.
UNMARKED = {
    "norwegian": "lør. 21. nov. 2026 kl. 12:00 skrev Games <{to}>:",
    "dutch": "Op za 21 nov 2026 om 12:00 heeft Games <{to}>\nhet volgende geschreven:",
    "dutch, apple": "Op 21 nov 2026, om 12:00 heeft Games <{to}> het volgende geschreven:",
    "german": "Am Sa., 21. Nov. 2026 um 12:00 Uhr schrieb Games <\n{to}>:",
    "french": "Le sam. 21 nov. 2026 à 12:00, Games <{to}>\na écrit :",
    "polish": "sob., 21 lis 2026 o 12:00 Games <{to}>\nnapisał(a):",
    "hungarian": "Games <{to}> ezt írta (időpont: 2026. nov. 21.,\nSzo, 12:00):",
    "croatian": "sub, 21. stu 2026. u 12:00 Games <{to}>\nnapisao je:",
    "slovenian": "V V sob., 21. nov. 2026 ob 12:00 je oseba Games <\n{to}> napisala:",
    "swedish": "Den lör 21 nov. 2026 kl 12:00\nskrev Games <{to}>:",
    "greek": "Στις Σάβ 21 Νοε 2026 στις 12:00, ο χρήστης Games\n<{to}> έγραψε:",
    "vietnamese": "Vào Th 7, 21 thg 11, 2026 vào lúc 12:00 Games <\n{to}> đã viết:",
    "catalan": "Missatge de Games <{to}> del dia ds., 21 nov.\n2026 a les 12:00 va escriure:",
}

# Author, date, recipient and subject as Outlook names them.
_HEADERS = {
    "slovak": "Od Odoslané Komu Predmet",
    "romanian": "De_la Trimis Către Subiect",
    "greek": "Από Στάλθηκε Προς Θέμα",
    "bulgarian": "От Изпратено До Относно",
    "croatian": "Šalje Poslano Prima Predmet",
    "slovenian": "Od Poslano Za Zadeva",
    "estonian": "Saatja Saadetud Adressaat Teema",
    "latvian": "No Nosūtīts Kam Tēma",
    "lithuanian": "Nuo Išsiųsta Kam Tema",
    "hebrew": "מאת נשלח אל נושא",
    "arabic": "من تاريخ_الإرسال إلى الموضوع",
    "vietnamese": "Từ Đã_gửi Đến Chủ_đề",
    "indonesian": "Dari Dikirim Kepada Subjek",
    "catalan": "De Enviat Per_a Assumpte",
    "icelandic": "Frá Sent Til Efni",
    "thai": "จาก ส่ง ถึง เรื่อง",
    "basque": "Nork Bidalia Nori Gaia",
}

_SEPARATORS = {
    "outlook": "-----Original Message-----\nFrom: Games\nSent: Saturday\nTo: Ann",
    "outlook, german": "-----Ursprüngliche Nachricht-----\nVon: Games",
    "outlook, rule": "________________________________\nFrom: Games\nSent: Saturday",
    "outlook, head alone": "From: Games <{to}>\nSent: Saturday, November 21\nTo: Ann\nSubject: x",
    "outlook, bold head": "*From:* Games <{to}>\n*Sent:* Saturday\n*To:* Ann\n*Subject:* x",
    "outlook, german head": "Von: Games\nGesendet: Samstag\nAn: Ann\nBetreff: x",
    "outlook, french head": "De : Games\nEnvoyé : samedi\nÀ : Ann\nObjet : x",
    "outlook, chinese head": "发件人: Games\n发送时间: 2026\n收件人: Ann\n主题: x",
    "forwarding": "---------- Forwarded message ---------\nFrom: Games",
    "qq": "------------------ 原始邮件 ------------------\n发件人: x",
    "zoho": "---- On Sat, 21 Nov 2026 12:00:00 +0100 Games wrote ----\n",
    "french apple": "Le 21 nov. 2026 à 12:00, Games <{to}> a écrit :\n",
}


def cases(setting: Setting) -> list[Case]:
    """Return the cases."""
    move, quote = setting.move, quoted(setting.email)
    bare = setting.email.replace(move, "z9")
    found = [
        mail(setting, f"reply by {name}", f"{move}\n\n{line.format(to=setting.to)}\n\n{quote}\n")
        for name, line in ATTRIBUTIONS.items()
    ]
    found += [
        mail(setting, f"separator of {name}", f"{move}\n\n{line.format(to=setting.to)}\n\n{bare}\n")
        for name, line in _SEPARATORS.items()
    ]
    found += [
        mail(
            setting, f"{name} without marks", f"{move}\n\n{line.format(to=setting.to)}\n\n{bare}\n"
        )
        for name, line in UNMARKED.items()
    ]
    for name, words in _HEADERS.items():
        labels = [word.replace("_", " ") for word in words.split()]
        for kind, order in (("", (0, 1, 2, 3)), (", date first", (1, 0, 2, 3))):
            # A day without a time is recognised by the words alone.
            at = "21.11.2026 12:00" if kind else "21.11.2026"
            values = ("Games", at, "Ann", "Hex")
            head = "\n".join(f"{labels[one]}: {values[one]}" for one in order)
            found.append(mail(setting, f"outlook, {name}{kind}", f"{move}\n\n{head}\n\n{bare}\n"))
    deep = "\n".join(quoted(f"resign {level}", level) for level in range(1, 21))
    told = Expected(comment="Nice one!\n\nBye")
    end = f"{setting.subject} resign"
    return [
        *found,
        mail(setting, "quote of 20 levels", f"{move}\n{deep}\n"),
        mail(setting, "answer below the quote", f"On 1 Jan 2026, Games wrote:\n{quote}\n\n{move}"),
        mail(
            setting,
            "answer amid quotes",
            f"{quote}\n{move}\n{quote}\nNice one!\n{quote}\n\nBye\n-- \nAnn\nresign",
            expected=told,
        ),
        mail(setting, "quote without spaces", f"{move}\n" + quote.replace("> ", ">")),
        mail(setting, "quote with bars", f"{move}\n" + quote.replace("> ", "| ")),
        mail(setting, "quote with entities", f"{move}\n" + quote.replace("> ", "&gt; ")),
        mail(setting, "signature", f"{move}\n\n-- \nAnn\nd3"),
        mail(setting, "signature without its space", f"{move}\n--\nAnn"),
        mail(setting, "phone", f"{move}\n\nSent from my iPhone\n\n{quote}"),
        mail(setting, "phone, german", f"{move}\n\nVon meinem iPhone gesendet\n"),
        mail(setting, "phone, outlook", f"{move}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n"),
        mail(setting, "move with a full stop", f"{move}.\nGood luck", expected=_said("Good luck")),
        mail(setting, "move with its number", f"1. {move}\n"),
        mail(setting, "move with the word", f"move {move}\n"),
        mail(setting, "move with the ply", f"{move}#0\n"),
        mail(
            setting,
            "whole command in the body",
            f"{setting.game} move {setting.board} {setting.user} {move}\n",
        ),
        mail(
            setting,
            "multiple in the body",
            f"Multiple:\n\n# my own note\n{move}\nend\nHave fun!",
            expected=_said("Have fun!"),
        ),
        mail(setting, "multiple in the subject", f"{setting.subject} {move}\n", "multiple"),
        mail(
            setting,
            "words that are no command",
            "resign? never, I accept no draw\n",
            expected=Expected(what=What.REFUSED, comment=None, code="mail/too-much"),
        ),
        mail(
            setting,
            "only a quote",
            quote,
            expected=Expected(what=What.REFUSED, comment=None, code="mail/no-move"),
        ),
        mail(setting, "subject and body", "resign\n", f"{setting.subject} {move}")._replace(
            expected=_said("resign")
        ),
        mail(setting, "quoted command in the subject", move, f'Re: "{end}"'),
    ]


def _said(text: str) -> Expected:
    return Expected(comment=text)
