#!/usr/bin/env bash
# Everything that must hold before a change lands: types, style, tests. With arguments: only those test files.
set -euo pipefail
cd "$(dirname "$0")/.."

# One thread each: more of them check the same types again.
tsc --noEmit --singleThreaded &
types=$!
tsc --noEmit --singleThreaded -p tsconfig.infra.json &
infra=$!
biome check
wait "$types"
wait "$infra"
# What it begins with is compiled already after the first time, as for the programs that the tests start.
NODE_COMPILE_CACHE="$PWD/node_modules/.cache/node" exec vitest run "$@"
