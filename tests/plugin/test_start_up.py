"""What a campaign imports, and when."""

from __future__ import annotations

from tests.plugin.lab import HONEST, Lab

PLAIN = ("-p", "no:html", "-p", "no:metadata", "-p", "no:benchmark", "-p", "no:cov")
OF_THE_END = (
    "soclab.assembly.ending",
    "soclab.scoring.scorecard",
    "soclab.reports.writer",
    "soclab.reports.formats.webpage",
    "soclab.adversary.bench",
    "jinja2",
)
NOT_AT_FIRST = (
    *OF_THE_END,
    "soclab.assembly.releases",
    "soclab.pytest_plugin.distribution.parts",
    "soclab.pytest_plugin.html_report",
    "jsonschema",
    "cryptography",
    "rich",
    "click",
    "typer",
)
CONFTEST = f"""
    import sys

    NOT_AT_FIRST = {NOT_AT_FIRST}

    def told(when):
        print("LOADED", when, *[name for name in NOT_AT_FIRST if name in sys.modules])

    def pytest_collection_finish():
        told("before")

    def pytest_runtest_logfinish(nodeid):
        if "gate" not in nodeid:
            told("after")
"""


def test_nothing_of_the_end_is_imported_before_the_first_item(lab: Lab) -> None:
    """When everything is collected, reports, scores and the libraries under them are still to come."""
    lab.pytester.makeconftest(CONFTEST)
    result = lab.run_apart("soclab", "--soclab-provider", "reference", "--collect-only", "-q", "-s", *PLAIN)

    assert "LOADED before" in result.outlines


def test_the_end_is_there_after_the_first_stage(lab: Lab) -> None:
    """What a long session does to its installation does not reach the scorecard."""
    lab.pytester.makeconftest(CONFTEST)
    lab.run(*HONEST, "--collect-only")  # puts the agents there
    result = lab.run_apart("soclab::BEN-001[collect_identity]", *HONEST, "-q", "-s", *PLAIN)

    before, after = (line.split("LOADED ")[1] for line in result.outlines if "LOADED" in line)
    assert before == "before"
    assert set(after.split()) >= {"after", *OF_THE_END}
