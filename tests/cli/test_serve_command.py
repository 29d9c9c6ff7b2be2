"""Tests of ``antipodes serve``: mails link to the address at which the site is served."""

import re
import subprocess
import sys

import pytest

from antipodes.web.platform import env_file
from antipodes.web.server import serve
from tests.cli.tools import environment, run

SHOW = (
    "import django; django.setup(); from django.conf import settings;"
    " from antipodes.web.notifications.emails import absolute_url, site_domain;"
    " print(absolute_url('/m/x/'), site_domain(), settings.MAIL_HOST)"
)


@pytest.fixture
def served(monkeypatch, tmp_path):
    """A function that runs ``serve``, and returns its output and settings of its processes."""
    for name in ("SITE_URL", "CSRF_TRUSTED_ORIGINS", "ANTIPODES_SERVED_AT", "EMAIL_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    seen = []

    def note(listening, say, greeting, **more):
        say(greeting)
        command = [sys.executable, "-c", SHOW]
        settings = environment(DJANGO_SETTINGS_MODULE="antipodes.web.project.settings")
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
        seen.append(done.stdout.split())
        listening.close()

    monkeypatch.setattr(serve, "serve", note)

    def begin(*arguments):
        done = run("serve", *arguments)
        assert done.exit_code == 0, done.output
        return done.output, *seen[-1]

    return begin


def test_mails_link_to_the_given_host_and_port(served):
    output, link, domain, mail_host = served("--port", "0")
    port = re.search(r":([0-9]+)/", output)
    assert port is not None
    assert port[1] != "8000"
    assert link == f"http://127.0.0.1:{port[1]}/m/x/"
    assert (domain, mail_host) == ("localhost", "localhost")  # independent of the port


@pytest.mark.extreme
def test_links_to_a_site_that_listens_on_all_addresses_work(served):
    _, link, *_ = served("--host", "0.0.0.0", "--port", "0")
    assert re.fullmatch(r"http://localhost:[0-9]+/m/x/", link)


@pytest.mark.extreme
def test_mails_link_to_site_url_if_it_is_set(served, monkeypatch):
    monkeypatch.setenv("SITE_URL", "https://play.example.org/")
    _, link, domain, mail_host = served("--port", "0")
    assert link == "https://play.example.org/m/x/"
    assert (domain, mail_host) == ("play.example.org", "play.example.org")


def test_the_file_of_the_settings_is_named(served, monkeypatch, tmp_path):
    monkeypatch.setattr(env_file.source, "file", None)
    file = tmp_path / "antipodes.env"
    file.write_text("LOG_LEVEL=ERROR\n")
    named = f"Settings were read from {file}.\n"
    assert named not in served("--port", "0")[0]
    assert named in served("--port", "0", "--env-file", str(file))[0]
