"""The queue of jobs on PostgreSQL: a choice reads few of the jobs that wait."""

import json

MANY = 10_000

CHOOSE = f"""
import json
from django.db import connection
from django.test.utils import CaptureQueriesContext
from antipodes.web.accounts.models import User
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import Group, JobKind
users = User.objects.bulk_create(User(username=f"player {{number}}") for number in range(100))
queue.put(*(
    queue.NewJob(kind=JobKind.MOVE, key=str(at), user=users[at % 100].pk, seconds=5.0)
    for at in range({MANY})
))
with connection.cursor() as cursor:
    cursor.execute("ANALYZE")
with CaptureQueriesContext(connection) as captured:
    found = queue.candidates([Group.QUICK_MOVE, Group.MOVE])
    queue.put(queue.NewJob(kind=JobKind.MOVE, key="one", user=users[0].pk, seconds=5.0))
read = []
def rows(plan):
    yield (plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)) * plan["Actual Loops"]
    for part in plan.get("Plans", ()):
        yield from rows(part)
for one in captured:
    if 'FROM "jobs_jobrow"' in one["sql"]:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + one["sql"])
            [[[answer]]] = cursor.fetchall()
        read.append(max(rows(answer["Plan"])))
print(json.dumps({{"found": len(found), "read": read}}))
"""


def test_a_choice_reads_few_of_ten_thousand_jobs(seeded):
    site, _ = seeded
    told = json.loads(site.run_code(CHOOSE))
    assert 64 <= told["found"] <= 3 * 64
    assert len(told["read"]) >= 6
    assert max(told["read"]) <= 500, told
