#!/usr/bin/env bash
# Prepares the checkout: installs the locked packages, among them Node 24, when package-lock.json has changed. Needs Node 20 and npm.
set -euo pipefail
cd "$(dirname "$0")/.."

checksum=$(node -e 'process.stdout.write(require("crypto").createHash("sha256").update(require("fs").readFileSync("package-lock.json")).digest("hex"))')
if [ "$(cat node_modules/.setup-stamp 2>/dev/null || true)" != "$checksum" ]; then
  echo 'Installing the locked packages (once per lockfile) ...' >&2
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  echo "$checksum" > node_modules/.setup-stamp
fi

if ! node_modules/.bin/node --version >/dev/null 2>&1; then
  major=$(node -p 'process.versions.node.split(".")[0]')
  if [ "$major" -lt 24 ]; then
    echo "Reelsmith runs on Node 24. No npm package has it for $(uname -s) $(uname -m), and the Node on PATH is $(node --version)." >&2
    echo 'Install Node 24 or later (https://nodejs.org) and run the command again.' >&2
    exit 1
  fi
fi
