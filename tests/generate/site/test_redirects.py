"""Old addresses of pages: each is there, or leads on."""

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from factory import Plan, build
from msgspec.structs import replace
from sample_site import build_site, letters, text_at, write_results

from runners.harness.catalogue import scenarios as catalogue

OLD = Path(__file__).with_name("old_addresses.txt").read_text(encoding="utf-8").split()
LABEL = "linux-x86_64-2-core"
VERSIONS = ("3.10.21", "3.11.16", "3.12.14", "3.13.15", "3.14.7", "3.14.7t", "3.15.0rc2t", "3.15.2")
VARIANTS = (
    *(("3.14.7", f"aiohttp-{version}") for version in ("3.11.18", "3.12.15", "3.13.5")),
    *(("3.14.7", f"gevent-{version}") for version in ("24.11.1", "25.5.1", "25.9.1")),
    *(("3.14.7", f"tornado-{version}") for version in ("6.3.3", "6.4.2", "6.5.10")),
    ("3.14.7", "unoptimised"),
    ("3.15.2", "PYTHON_JIT=1"),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    plain = [build(version.removesuffix("t"), free_threaded=version.endswith("t")) for version in VERSIONS]
    variants = [replace(build(version), variant=(variant,)) for version, variant in VARIANTS]
    plans = {
        f"{number}.json": Plan(build=each, machine=LABEL, cpu="AMD EPYC", run_id=f"r{number}")
        for number, each in enumerate([*plain, *variants])
    }
    plans["xeon.json"] = Plan(machine=LABEL, cpu="Intel(R) Xeon(R) Processor", run_id="xeon")
    folder = tmp_path_factory.mktemp("results")
    every = catalogue.find()
    write_results(folder, plans, {"primes": every["primes"]})
    return build_site(folder, every, catalogue.ROOT / "docs")


def test_old_addresses_are_pages_or_lead_to_one(files: Mapping[str, Any]) -> None:
    assert [address for address in OLD if address != "404.html" and not leads_on(files, address)] == []


def leads_on(files: Mapping[str, Any], address: str) -> bool:
    """Return whether an address is a page, or a file that leads to one with and without a script."""
    if f"docs/{address.removesuffix('html')}md" in files:
        return True
    page = files.get(f"docs/{address}", "")
    target = re.search(r'content="0; url=([^"]+)\.html"', str(page))
    if target is None or f'<a href="{target[1]}.html">' not in str(page):
        return False
    return f"{os.path.normpath(PurePosixPath('docs', address).parent / target[1])}.md" in files


def test_old_machine_leads_to_the_first_of_its_label(files: Mapping[str, Any]) -> None:
    page = text_at(files, "docs/machines/linux-x86-64-2-core.html")
    assert 'url=../machines/linux-x86-64-2-core-amd-epyc.html"' in page


def test_section_that_went_elsewhere_leads_there(files: Mapping[str, Any]) -> None:
    page = text_at(files, "docs/articles/choosing-by-the-map.html")
    assert '{"#how-many-threads": "../articles/how-many-threads.html"}[location.hash] ??' in page


def test_hostile_label_stays_text(tmp_path: Path) -> None:
    write_results(tmp_path, {"a.json": Plan(machine='"><script>alert(1)</script>')}, letters())
    made = build_site(tmp_path, letters(), tmp_path)
    pages = [text_at(made, path) for path in made if path.startswith("docs/machines/") and path.endswith(".html")]
    assert pages
    assert not any("alert(1)<" in page for page in pages)
