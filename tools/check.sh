#!/usr/bin/env bash
# Everything that must hold before a change lands: types, style, tests. With arguments: only those test files.
set -euo pipefail
cd "$(dirname "$0")/.."

tsc --noEmit
tsc --noEmit -p tsconfig.infra.json
biome check
exec vitest run "$@"
