#!/usr/bin/env bash
# `npm test`: types, style and tests. With arguments, only those test files run.
set -euo pipefail
cd "$(dirname "$0")/.."

# Single-threaded, because each thread of tsc checks the same types again.
tsc --noEmit --singleThreaded &
types=$!
tsc --noEmit --singleThreaded -p tsconfig.infra.json &
infra=$!
biome check
wait "$types"
wait "$infra"
exec vitest run "$@"
