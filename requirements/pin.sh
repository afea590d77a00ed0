#!/bin/sh
# Pins every requirements file to exact versions and hashes: `make pins`. No file names an index.
set -eu
cd "$(dirname "$0")"

pin() { # lowest Python, file to write, arguments
  python=$1 file=$2
  shift 2
  uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url \
    --python-version "$python" --output-file "$file" "$@"
}

pin 3.11 uv.txt uv.in
# One resolution for all packages of the runners: every environment has all of them.
pin 3.10 runners.txt runners/*.in
# The tests run the runners in our own environment too: what both need has one version there.
pin 3.11 site.txt site.in --constraints runners.txt
pin 3.11 measure.txt measure.in --constraints site.txt
pin 3.11 dev.txt dev.in --constraints runners.txt
pin 3.11 workflows.txt workflows.in
