"""Codes of an app for two-factor authentication."""

import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value


def code_for(secret, *, periods=0):
    """Return the app's code of now, or of some periods (30 s) later."""
    counter = int(time.time()) // 30 + periods
    return format_hotp_value(hotp_value(secret, counter))
