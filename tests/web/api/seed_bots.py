"""Add bots to the database of a site before it starts, and print their tokens as JSON.

A separate program, because the process of the tests uses another database.
"""

import json
import sys

from antipodes.web.server.serve import prepare

prepare(creates=True)

from antipodes.web.accounts import bots  # noqa: E402
from antipodes.web.accounts.api_tokens import Scope, make_token  # noqa: E402
from antipodes.web.accounts.models import User  # noqa: E402

tokens = {}
for name in sys.argv[1:]:
    user = User.objects.create(username=name)
    bots.mark_as_bot(user)
    _row, tokens[name] = make_token(user, "tests", list(Scope), None)
json.dump(tokens, sys.stdout)
