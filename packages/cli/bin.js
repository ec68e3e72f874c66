#!/usr/bin/env node
/** The program `reelsmith`. */
import { processIo } from './process-io.js'
import { run } from './run.js'

process.exitCode = await run(process.argv.slice(2), processIo())
