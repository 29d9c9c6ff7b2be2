"""Laws of the files for Prometheus and Grafana: they use metrics that the site has."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from antipodes.web.platform import data_files, metrics

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[3] / "deploy/monitoring"
SUFFIXES = {"histogram": ("_bucket", "_count", "_sum")}


@pytest.fixture
def names(monkeypatch):
    """The names of all metrics of a site with a backup."""
    monkeypatch.setattr(data_files, "backup_age", lambda: 60.0)
    kinds = re.findall(r"(?m)^# TYPE (\S+) (\S+)", metrics.exposition().decode())
    return {name + suffix for name, kind in kinds for suffix in SUFFIXES.get(kind, ("",))}


@pytest.mark.parametrize("file", ["alerts.yml", "dashboard.json"])
def test_alerts_and_dashboard_use_metrics_of_the_site(names, file):
    text = (FOLDER / file).read_text(encoding="utf-8")
    used = set(re.findall(r"\b(?:antipodes|process)_[a-z_]+(?=[\[{() ]|$|\")", text, re.MULTILINE))
    assert len(used) > 10
    assert used - names == set()


def test_each_panel_of_the_dashboard_has_a_place_of_its_own():
    panels = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs apt install prometheus")
def test_prometheus_accepts_the_rules_and_all_expressions(tmp_path):
    panels = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    rules = [{"record": f"panel:{n}", "expr": text} for n, text in enumerate(expressions)]
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "all", "rules": rules}]}))
    checked = ("rules", tmp_path / "rules.yml"), ("config", FOLDER / "prometheus.yml")
    for kind, file in checked:
        done = subprocess.run(
            ["promtool", "check", kind, file], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
