#!/usr/bin/env bash
# Drives forti simulate with the clients that Debian has: Ansible's collection
# fortinet.fortios, pyFG, and collectd as an exporter for Prometheus. As root on a machine
# with apt-get it installs those that are absent; where one cannot be had, its tests say so.
set -euo pipefail
cd "$(dirname "$0")"

packages=(ansible collectd-core libcurl3-gnutls libmicrohttpd12 libprotobuf-c1 libyajl2 python3-pyfg)
absent=()
for p in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok' || absent+=("$p")
done
if [ ${#absent[@]} -gt 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  apt-get update >/dev/null 2>&1 || true
  for p in "${absent[@]}"; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$p" >/dev/null 2>&1 || echo "$p cannot be installed here"
  done
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
FORTI_CLIENTS=1 go test -count=1 -v -run 'Ansible|Collectd|PyFG' . >"$log" 2>&1 || { grep -vE '^=== ' "$log"; exit 1; }
grep -E '^(--- |ok)|did not run' "$log"
