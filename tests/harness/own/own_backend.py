"""Builds a wheel of the module own_extra, without any other package."""

import zipfile
from pathlib import Path

WHEEL, FACTS = "own_extra-1.0-py3-none-any.whl", "own_extra-1.0.dist-info"
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "own_backend"\nbackend-path = ["."]\n'


def build_wheel(wheel_directory: str, *_: object, **_named: object) -> str:
    with zipfile.ZipFile(Path(wheel_directory, WHEEL), "w") as wheel:
        wheel.writestr("own_extra.py", "ANSWER = 42\n")
        wheel.writestr(f"{FACTS}/METADATA", "Metadata-Version: 2.1\nName: own-extra\nVersion: 1.0\n")
        wheel.writestr(f"{FACTS}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{FACTS}/RECORD", "")
    return WHEEL
