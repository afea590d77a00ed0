"""The Atom feed of new runs. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from generate.site import plain, slug
from generate.tidy import build_name
from generate.verdict_words import build_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generate.load import ResultFile

MOST_RUNS = 20
NEVER = "1970-01-01T00:00:00Z"
NAMESPACE = "http://www.w3.org/2005/Atom"
TITLE = "Python Concurrency, Remeasured: new runs"


def feed(files: Iterable[ResultFile], site_url: str) -> str:
    """Return the newest published runs as Atom. Without *site_url*, its links are relative to the feed."""
    runs: dict[str, list[ResultFile]] = defaultdict(list)
    for file in files:
        if not file.local:
            runs[_run_of(file)].append(file)
    newest_first = sorted(runs.values(), key=lambda of_run: (_moment(of_run), of_run[0].path), reverse=True)[:MOST_RUNS]
    root = ET.Element("feed", xmlns=NAMESPACE)
    _add(root, "title", TITLE)
    _add(root, "id", _id(site_url, "runs"))
    _add(root, "updated", _moment(newest_first[0]) if newest_first else NEVER)
    ET.SubElement(root, "link", href=f"{site_url}data.html")
    author = ET.SubElement(root, "author")
    _add(author, "name", "Python Concurrency, Remeasured")
    for of_run in newest_first:
        _entry(root, of_run, site_url)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _entry(root: ET.Element, of_run: list[ResultFile], site_url: str) -> None:
    machines = sorted({plain(file.record.machine.label) for file in of_run})
    builds = sorted({build_words(build_name(file.record.build)) for file in of_run})
    run = of_run[0].record.run
    entry = ET.SubElement(root, "entry")
    _add(entry, "title", f"{', '.join(builds)} on {', '.join(machines)}")
    _add(entry, "id", _id(site_url, _run_of(of_run[0])))
    _add(entry, "updated", _moment(of_run))
    ET.SubElement(entry, "link", href=f"{site_url}data.html")
    _add(entry, "summary", f"Profile {plain(run.profile)}, rounds: {run.rounds}, result files: {len(of_run)}.")


def _run_of(file: ResultFile) -> str:
    """Name the run: all its files lie in one folder, though each job of a hosted run has a name of its own."""
    folder, _, _ = file.path.rpartition("/")
    return folder or file.record.run.id


def _moment(of_run: list[ResultFile]) -> str:
    return max(file.record.run.finished or file.record.run.started for file in of_run)


def _id(site_url: str, name: str) -> str:
    return f"{site_url}data.html#{slug(name)}" if site_url else f"urn:python-concurrency-remeasured:{slug(name)}"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
