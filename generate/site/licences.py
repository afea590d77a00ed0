"""The licences of the scripts, styles and font that the site takes from packages."""

from importlib.metadata import files

PATH = "assets/LICENSES.txt"
PACKAGES = ("plotly", "mkdocs-material", "font-source-sans-pro")


def licences() -> str:
    """Return the packages' licence files, each below the package's name."""
    texts = [(name, path.read_text()) for name in PACKAGES for path in files(name) or () if path.stem == "LICENSE"]
    return "\n\n".join(f"{name}\n{'=' * len(name)}\n\n{text.strip()}" for name, text in texts) + "\n"
