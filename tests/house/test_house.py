"""The house rules that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "soclab"
PLURAL_FOLDERS = (
    "orchestrator/stages",
    "gateway/controls",
    "oracles/predicates",
    "adversary/manoeuvres",
    "simulator/tools",
    "cli/commands",
    "policy/engines",
)


def tracked() -> list[Path]:
    """Files of the project, as git knows them; the source tree where there is no git."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        return [path for path in SOURCE.rglob("*") if path.is_file()]
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("folder", PLURAL_FOLDERS)
def test_every_file_of_a_plural_folder_stands_in_its_table(folder: str) -> None:
    """The folder's `__init__.py` imports each of its modules: a file that is not in the table does nothing."""
    table = (SOURCE / folder / "__init__.py").read_text(encoding="utf-8")
    modules = {path.stem for path in (SOURCE / folder).glob("*.py")} - {"__init__"}
    imported = {
        node.module.rsplit(".", 1)[-1]
        for node in ast.walk(ast.parse(table))
        if isinstance(node, ast.ImportFrom) and node.module
    } | {alias.name for node in ast.walk(ast.parse(table)) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert modules <= imported


def test_no_room_is_called_by_what_it_is_not() -> None:
    """No `utils`, `common`, `helpers` or `misc`."""
    names = {path.stem for path in SOURCE.rglob("*")}
    assert not names & {"utils", "common", "helpers", "misc", "util", "helper"}


def test_every_module_says_what_it_is_for() -> None:
    """A module without a docstring leaves its reader alone."""
    silent = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []


def test_no_module_is_longer_than_the_ceiling() -> None:
    """A file that needs more than 330 lines has more than one reason to change."""
    long = {
        str(path.relative_to(SOURCE)): count
        for path in SOURCE.rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 330
    }
    assert long == {}


def test_no_file_names_a_package_host() -> None:
    """Where packages come from is the installing machine's business."""
    hosts = re.compile(rb"(?i)\b(?:pypi|pythonhosted|npmjs|debian)\.org\b")
    found = [str(path.relative_to(ROOT)) for path in tracked() if hosts.search(path.read_bytes())]
    assert found == []


def test_addresses_and_domains_are_those_reserved_for_documentation() -> None:
    """No scenario points at a machine that exists."""
    address = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])")
    allowed = re.compile(r"^(192\.0\.2|198\.51\.100|203\.0\.113|127\.0\.0|10\.|172\.|192\.168|0\.0\.0|255\.)")
    corpus = SOURCE / "scenarios" / "corpus"
    found = {
        one
        for path in corpus.rglob("*.yaml")
        for one in address.findall(path.read_text(encoding="utf-8"))
        if not allowed.match(one)
    }
    assert found == set()


def test_ci_calls_the_very_test_command_of_the_readme() -> None:
    """The second command of the README is a line of `.ci/run`."""
    commands = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert commands[1] in script


def test_the_versions_agree() -> None:
    """Package and project file name one version."""
    from soclab import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == __version__


def test_every_dependency_has_its_line() -> None:
    """What is installed at run time stands in the decision page on dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "adr" / "0003-dependencies.md").read_text(encoding="utf-8").lower()
    names = [re.split(r"[<>=!~\[]", one)[0] for one in project["dependencies"]]
    names += [re.split(r"[<>=!~\[]", one)[0] for extra in project["optional-dependencies"].values() for one in extra]
    missing = [name for name in names if name.lower() not in page and not name.startswith("types-")]
    assert missing == []


def test_only_front_doors_read_the_environment() -> None:
    """`os.environ` and `os.getenv` stand in cli and pytest_plugin only."""
    readers = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if re.search(r"\bos\.(environ|getenv)\b", path.read_text(encoding="utf-8"))
        and path.relative_to(SOURCE).parts[0] not in ("cli", "pytest_plugin")
    ]
    assert readers == []


def test_only_the_executor_changes_a_world() -> None:
    """`.act(...)` of a world stands in `gateway/execution.py`; others reach it by an executor, with a grant."""
    callers = {
        (str(path.relative_to(SOURCE)), ast.unparse(node.func.value))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "act"
    }
    by_executor = {one for one in callers if one[1] in ("executor", "bench.gate.executor")}
    assert callers - by_executor == {("gateway/execution.py", "self._world")}


def test_no_effect_is_run_beside_the_world() -> None:
    """A tool's `effect` is called by the world alone, and no name of `act` is fetched by its text."""
    callers = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "effect")
        or (isinstance(node, ast.Constant) and node.value == "act")
    }
    assert callers == {"simulator/world.py"}


@pytest.mark.parametrize(
    ("pattern", "doors"),
    [
        (r"\b(?:datetime\.now|time\.time|perf_counter|time\.monotonic)\(", {"clock.py", "providers/_shared.py"}),
        (r"(?m)^\s*(?:import|from) (?:uuid|secrets|random)\b", {"identity.py"}),
    ],
)
def test_time_and_chance_have_one_door(pattern: str, doors: set[str]) -> None:
    """Everything else takes them as arguments; `Timer` of the public guide takes none."""
    users = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    assert users <= doors


def test_every_promise_has_its_test() -> None:
    """Tests that `docs/what-must-not-happen.md` names exist, and each promise names one."""
    lines = (ROOT / "docs" / "what-must-not-happen.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| Promise")]
    named = [re.findall(r"`(test_\w+)`", line) for line in rows]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    defined = set(re.findall(r"^(?:async )?def (test_\w+)", tests, re.MULTILINE))
    assert len(rows) > 30
    assert [rows[at] for at, names in enumerate(named) if not names] == []
    assert {name for names in named for name in names} <= defined
