#!/bin/sh
# Runs a command with uv using pip's indexes: uv reads none of pip's settings.
# What is set for uv already stays. Further indexes and folders of wheels are not passed on: all pins are on the usual
# index, and uv fails if an index does not answer, while pip goes on without it.
set -eu

settings=$("$(dirname "$0")/../.venv/bin/python" -m pip config list)
setting() { # the value of pip's setting, the words of a list in one line: the environment's, else install's, else global
  for section in ':env:' install global; do
    value=$(printf '%s\n' "$settings" | sed -n "s/^$section\.$1='\(.*\)'\$/\1/p" | sed 's/\\n/ /g; s/^ *//')
    if [ -n "$value" ]; then
      printf '%s\n' "$value"
      return
    fi
  done
}
pass_on() { # pip's setting, uv's variable, and others by which uv has been told already
  value=$(setting "$1")
  shift
  for name in "$@"; do
    if printenv "$name" >/dev/null; then return; fi
  done
  if [ -n "$value" ]; then export "$1=$value"; fi
}
pass_on index-url UV_DEFAULT_INDEX
pass_on trusted-host UV_INSECURE_HOST
pass_on proxy HTTPS_PROXY https_proxy ALL_PROXY all_proxy
pass_on proxy HTTP_PROXY http_proxy ALL_PROXY all_proxy
pass_on cert SSL_CERT_FILE
pass_on client-cert SSL_CLIENT_CERT
# pip has ways to ask a keyring that uv lacks.
if [ "$(setting keyring-provider)" = subprocess ]; then pass_on keyring-provider UV_KEYRING_PROVIDER; fi

# pip trusts the certificates of the system, uv its own unless it is told; a system may have none.
for certificates in /etc/ssl/cert.pem /etc/ssl/certs/* /etc/pki/tls/certs/*; do
  if [ -e "$certificates" ]; then export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-true}"; fi
done
exec "$@"
