"""What users install: the built wheel, alone, in an empty folder; and the README's first command in a fresh clone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.integration.commands import environment
from tests.sessions import ALONE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree, built without a network."""
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(place.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a virtual environment that holds the wheel and, from here, only what it depends on."""
    home = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    site = next(home.glob("lib/python*/site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return home / "bin"


def run(installed: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(installed / "python"), "-m", *command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_carries_schemas_corpus_and_the_example_agent(wheel: Path) -> None:
    """Nothing of a clone is needed."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for name in (
        "soclab/published/schemas/agent-v1/response.schema.json",
        "soclab/published/schemas/scorecard-v1/scorecard.schema.json",
        "soclab/published/examples/http_agent/server.py",
        "soclab/published/examples/http_agent/sample_request.json",
        "soclab/scenarios/corpus/attacks/ATK-001.yaml",
        "soclab/py.typed",
    ):
        assert name in names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_installed_wheel_does_the_main_job_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    """The embedded agent, the embedded data, exit 0, everything executed."""
    done = run(installed, tmp_path, "pytest", *ALONE, "--soclab-provider", "reference")
    assert done.returncode == 0, done.stdout
    assert "161 of 161 stages: complete" in done.stdout
    assert str(ROOT / "src") not in done.stdout


def test_the_installed_wheel_copies_a_template_that_runs(installed: Path, tmp_path: Path) -> None:
    """`--soclab-init` and then the command it prints."""
    copied = run(installed, tmp_path, "pytest", "--soclab-init", "python_adapter")
    assert copied.returncode == 0, copied.stderr
    done = run(installed, tmp_path, *copied.stdout.strip().rpartition("run: ")[2].split(), *ALONE)
    assert done.returncode == 0, done.stdout
    assert "ATK-001 protected resisted, BEN-001 protected correct" in done.stdout


def test_the_installed_command_line_knows_its_schemas(installed: Path, tmp_path: Path) -> None:
    """`soclab schema --check` compares with what the wheel carries."""
    done = run(installed, tmp_path, "soclab.cli.main", "schema", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_first_command_of_the_readme_works_in_a_fresh_clone(tmp_path: Path) -> None:
    """A new virtual environment, an installation from the package index, the main job, exit 0."""
    command = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    subprocess.run(["git", "clone", "--quiet", str(ROOT), "clone"], cwd=tmp_path, check=True)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path / "clone",
        env={**environment(), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "161 of 161 stages: complete" in done.stdout
