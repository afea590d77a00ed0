"""The options that several commands take: the folders of results, pages and output."""

from pathlib import Path

import click

from runners.harness.catalogue.scenarios import ROOT

FOLDER = click.Path(path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
RESULTS = click.option("--results", type=EXISTING_FOLDER, default=ROOT / "results", help="Folder of result files.")
OUT = click.option("--out", type=FOLDER, default=ROOT / "build", help="Folder to write to.")
DOCS = click.option("--docs", type=FOLDER, default=ROOT / "docs", help="Folder of hand-written pages and claims.")
SITE_URL = click.option(
    "--site-url",
    envvar="SITE_URL",
    default="",
    help="Address of the site, on GitHub Actions its Pages.",
)
