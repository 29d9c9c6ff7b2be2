"""Two servers on one folder of data: the second is refused, the first goes on."""

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
    assert done.returncode not in {0, -9}, "it was started"
    assert "Traceback" not in done.stderr
    assert str(siege.site.folder) in done.stderr, done.stderr
    assert siege.is_well()
    with urllib.request.urlopen(siege.site.url("/readyz"), timeout=10) as answer:
        assert json.load(answer)
