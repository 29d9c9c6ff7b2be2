"""Tests of the manifests for Kubernetes: valid, complete, and with few rights."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from antipodes.web.platform.health import PROBES

FOLDER = Path(__file__).resolve().parents[2] / "deploy/kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text(encoding="utf-8"))
FILES = [FOLDER / name for name in KUSTOMIZATION["resources"]]
OBJECTS = [one for path in FILES for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]
PODS = {
    one["metadata"]["name"]: one["spec"]["template"]
    for one in OBJECTS
    if "template" in one.get("spec", {})
}
VALIDATOR = "kubernetes-validate==1.37.0"

pod = pytest.mark.parametrize("name", PODS)


def test_all_files_are_applied():
    assert {*FILES, FOLDER / "kustomization.yaml"} == set(FOLDER.iterdir())


def test_the_manifests_follow_the_published_schemas():
    uv = Path(sys.executable).with_name("uv")
    command = [uv, "tool", "run", "--from", VALIDATOR, "kubernetes-validate", "--strict", *FILES]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if "error sending request" in done.stderr:
        pytest.skip("the Python Package Index does not answer")
    assert done.returncode == 0, done.stdout + done.stderr


@pod
def test_containers_have_few_rights_and_bounded_memory(name):
    spec = PODS[name]["spec"]
    assert spec["securityContext"]["runAsUser"] == 10001
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not spec["automountServiceAccountToken"]
    for container in spec["containers"]:
        assert container["securityContext"] == {
            "readOnlyRootFilesystem": True,
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        }
        assert set(container["resources"]["requests"]) == {"cpu", "memory"}
        assert "memory" in container["resources"]["limits"]


@pod
def test_settings_come_from_the_generated_map_and_the_secret(name):
    [made] = KUSTOMIZATION["configMapGenerator"]
    for container in PODS[name]["spec"]["containers"]:
        sources = [source for one in container["envFrom"] for source in one.items()]
        assert sources == [
            ("configMapRef", {"name": made["name"]}),
            ("secretRef", {"name": "antipodes"}),
        ]


def test_probes_ask_for_pages_of_the_site():
    [container] = PODS["web"]["spec"]["containers"]
    probes = [value for key, value in container.items() if key.endswith("Probe")]
    assert len(probes) == 3
    assert {probe["httpGet"]["path"] for probe in probes} <= set(PROBES)


def test_services_budgets_and_scalers_name_processes_that_exist():
    for one in OBJECTS:
        match one["kind"], one.get("spec", {}):
            case "Service", spec:
                assert spec["selector"] == PODS["web"]["metadata"]["labels"]
            case "PodDisruptionBudget", spec:
                assert spec["selector"]["matchLabels"] in [
                    template["metadata"]["labels"] for template in PODS.values()
                ]
            case "HorizontalPodAutoscaler", spec:
                assert spec["scaleTargetRef"]["name"] in PODS
                assert spec["minReplicas"] < spec["maxReplicas"]
