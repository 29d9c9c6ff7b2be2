"""Tests of `antipodes doctor` with PostgreSQL and Redis, and of the shared VAPID key."""

import json


def found_by(site, **more):
    """Return the exit code, and the status and message of each check."""
    done = site.call("doctor", "--json", **more)
    checks = json.loads(done.stdout)["checks"]
    return done.returncode, {one["name"]: (one["status"], one["message"]) for one in checks}


def test_the_doctor_reports_unreachable_servers(empty_site):
    code, found = found_by(empty_site)
    assert code == 1
    assert found["database"][0] == "failed"
    assert "antipodes migrate" in found["database"][1]
    assert empty_site.call("migrate").returncode == 0
    code, found = found_by(empty_site)
    assert code == 0, found
    assert found["database"][1].startswith("PostgreSQL")
    assert found["redis"][1].endswith("answers")
    assert found["clock"][0] in ("ok", "warning")
    code, found = found_by(empty_site, REDIS_URL="redis://:hidden@127.0.0.1:9/0")
    assert (code, found["redis"][0], found["database"][0]) == (1, "failed", "ok")
    assert "hidden" not in json.dumps(found)
    url = "postgres://host:hidden@127.0.0.1:9/nothing"
    code, found = found_by(empty_site, DATABASE_URL=url)
    assert (code, found["database"][0], found["redis"][0]) == (1, "failed", "ok")
    assert "hidden" not in json.dumps(found)


def test_machines_share_the_vapid_key(empty_site):
    assert empty_site.call("migrate").returncode == 0
    show = empty_site.folder / "show.py"
    show.write_text(
        "from antipodes.web.server.serve import load\nload()\n"
        "from antipodes.web.notifications import push\nprint(push.public_key())\n"
    )
    first = empty_site.run(show)
    empty_site.environment["ANTIPODES_DATA"] = str(empty_site.folder / "another machine")
    assert empty_site.run(show) == first
