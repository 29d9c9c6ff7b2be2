"""A database that is read, and takes no writes."""

from contextlib import contextmanager

from django.db import OperationalError, connection

FULL = "database or disk is full"


@contextmanager
def nothing_can_be_written():
    """Refuse whatever would change a row."""

    def refuse(execute, sql, params, many, context):
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            raise OperationalError(FULL)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield
