"""The Atom feed of new runs. Pure."""

from collections.abc import Sequence
from urllib.parse import quote
from xml.etree import ElementTree as ET

from generate.data.files import ResultFile, ResultRun, group_by_run, slug
from generate.words.builds import describe_build
from generate.words.names import strip_markup
from generate.words.patterns import SITE_NAME
from runners.harness.record.build_names import build_name

MOST_RUNS = 20
NEVER = "1970-01-01T00:00:00Z"
NAMESPACE = "http://www.w3.org/2005/Atom"
TITLE = f"{SITE_NAME}: new runs"


def feed(files: Sequence[ResultFile], site_url: str) -> str:
    """Return the newest published runs as Atom. Without *site_url*, its links are relative to the feed."""
    newest_first = group_by_run(file for file in files if not file.local)[:MOST_RUNS]
    root = ET.Element("feed", xmlns=NAMESPACE)
    _add(root, "title", TITLE)
    _add(root, "id", _id(site_url, "runs"))
    _add(root, "updated", newest_first[0].ended if newest_first else NEVER)
    ET.SubElement(root, "link", href=f"{site_url}data.html")
    author = ET.SubElement(root, "author")
    _add(author, "name", SITE_NAME)
    for run in newest_first:
        _entry(root, run, site_url)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _entry(root: ET.Element, run: ResultRun, site_url: str) -> None:
    machines = sorted({strip_markup(file.record.machine.label) for file in run.files})
    builds = sorted({describe_build(build_name(file.record.build)) for file in run.files})
    entry = ET.SubElement(root, "entry")
    _add(
        entry, "title", f"{run.started[:10]}: {', '.join(builds)} on {', '.join(machines)} (run {strip_markup(run.id)})"
    )
    _add(entry, "id", _id(site_url, run.name))
    _add(entry, "updated", run.ended)
    ET.SubElement(entry, "link", href=f"{site_url}data/raw/{quote(run.files[0].path)}")  # newer runs don't move it
    summary = f"Profile {strip_markup(run.run.profile)}, rounds: {run.run.rounds}, result files: {len(run.files)}."
    _add(entry, "summary", summary)


def _id(site_url: str, name: str) -> str:
    return f"{site_url}data.html#{slug(name)}" if site_url else f"urn:python-concurrency-remeasured:{slug(name)}"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
