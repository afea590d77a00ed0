#!/bin/sh
# Runs a command with uv taking packages from where pip takes them: uv reads none of pip's settings.
# What is set for uv already stays.
set -eu

settings=$("$(dirname "$0")/../.venv/bin/python" -m pip config list)
pass_on() { # pip's setting, uv's variable
  value=$(printf '%s\n' "$settings" | sed -n "s/^[^=]*\.$1='\(.*\)'\$/\1/p" | head -n 1)
  if [ -n "$value" ] && ! printenv "$2" >/dev/null; then export "$2=$value"; fi
}
pass_on index-url UV_DEFAULT_INDEX
pass_on cert SSL_CERT_FILE

# pip trusts the certificates of the system, uv its own unless it is told; a system may have none.
for certificates in /etc/ssl/cert.pem /etc/ssl/certs/* /etc/pki/tls/certs/*; do
  if [ -e "$certificates" ]; then export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-true}"; fi
done
exec "$@"
