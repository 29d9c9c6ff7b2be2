"""Two servers on one data folder: the second is refused, the first keeps running."""

import json
import subprocess
import sys
import urllib.request


def test_a_second_server_is_refused(siege):
    done = subprocess.run(
        [sys.executable, "-m", "antipodes", "serve", "--port", "0"],
        env=siege.site.environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode not in {0, -9}, "the second server started"
    assert "Traceback" not in done.stderr
    assert str(siege.site.folder) in done.stderr, done.stderr
    assert siege.is_healthy()
    with urllib.request.urlopen(siege.site.url("/readyz"), timeout=10) as response:
        assert json.load(response)
