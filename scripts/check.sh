#!/usr/bin/env bash
# `npm test`: types, style and tests. With arguments, only those test files run.
set -euo pipefail
cd "$(dirname "$0")/.."

# Checks only what has changed since the last run. Single-threaded, because each thread of tsc checks the same types again.
check_types() {
  tsc -p "$1" --noEmit --singleThreaded --incremental --tsBuildInfoFile "node_modules/.cache/types/$1.tsbuildinfo"
}
check_types tsconfig.json &
types=$!
check_types tsconfig.infra.json &
infra=$!
# The client's declarations as a program outside of this repository sees them.
check_types tsconfig.packages.json &
packages=$!
# Pages know other globals than Node.
check_types tsconfig.studio.json &
studio=$!
biome check
wait "$types"
wait "$infra"
wait "$packages"
wait "$studio"
exec vitest run "$@"
