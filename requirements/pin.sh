#!/bin/sh
# Pins every requirements file to exact versions and hashes: `make pins`. No file names an index.
set -eu
cd "$(dirname "$0")"
pin() { uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version "$1" -o "$3" "$2"; }
for file in runners/*.in; do pin 3.10 "$file" "${file%.in}.txt"; done
pin 3.11 site.in site.txt
pin 3.11 dev.in dev.txt
