#!/usr/bin/env bash
# Runs a command of package.json: prepares the checkout, puts the locked packages and their Node 24 first on PATH, then replaces itself
# with the command. A .ts file or a Node option starts Node, a .sh file bash, anything else is a program.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh

export PATH="$PWD/node_modules/.bin:$PATH"
# TypeScript that was read once is loaded from this cache. Benches measure start-up and memory without it.
case " $*" in
  *' bench/'*) ;;
  *) export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/node" ;;
esac

case "${1:?usage: scripts/run.sh COMMAND [ARGUMENT …]}" in
  *.ts | --*) exec node --disable-warning=ExperimentalWarning "$@" ;;
  *.sh) exec bash "$@" ;;
  *) exec "$@" ;;
esac
