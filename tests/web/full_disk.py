"""A database that can only be read."""

from contextlib import contextmanager

from django.db import OperationalError, connection

FULL = "database or disk is full"


@contextmanager
def nothing_can_be_written():
    """Refuse queries that change rows."""

    def refuse(execute, sql, params, many, context):
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            raise OperationalError(FULL)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield
