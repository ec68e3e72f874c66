// `npm start`: runs the whole service on this machine until Ctrl-C. Prints the address, the API key and one line for each job.

import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { now } from '../lib/clock.ts'
import { findFfmpeg, isBundledFfmpeg } from '../lib/ffmpeg/binary.ts'
import { startArguments, usage } from './arguments.ts'
import { watchRows } from './console/row-watcher.ts'
import { openTerminal, rawTerminal } from './console/terminal.ts'
import { createDataDirectory } from './data-directory.ts'
import { discoverServers, preferred } from './discover-servers.ts'
import { modelsDirectory } from './models/folder.ts'
import { startDownloadedModels } from './models/start.ts'
import { foundServerLines, isBuiltInOnly, providerConfigFrom } from './provider-config.ts'
import { startReelsmith } from './reelsmith.ts'
import { dataDirectory, removeRuntime, writeRuntime } from './runtime.ts'

const stopMsMax = 5_000
const oldFfmpegNote =
  'No ffmpeg on PATH: uses the npm build of 2018. Upload only files that you trust, or install a current ffmpeg.'

const options = readArguments()
if (options.help) {
  console.log(usage)
  process.exit()
}
const directory = resolve(dataDirectory())
// Rows and objects are readable by this user only; child processes inherit it.
process.umask(0o077)
const terminal = process.env.LOG === 'json' ? rawTerminal : openTerminal()

try {
  createDataDirectory(directory)
  // Fails now instead of in the first render.
  const ffmpeg = findFfmpeg()
  // Only `npm start` passes it: tests and the demo do not depend on what else runs on a machine.
  const isSearching = options.findServers && !isBuiltInOnly(process.env)
  const downloaded = isSearching ? await startDownloadedModels(modelsDirectory(process.env), terminal.log) : undefined
  const found = downloaded && preferred(await discoverServers(), downloaded.found)
  const vendors = providerConfigFrom(process.env, found)
  const reelsmith = await startReelsmith({
    directory,
    port: wholeNumber('PORT', 8787, 0, 65_535),
    timeScale: wholeNumber('TIME_SCALE', 1, 1),
    vendors,
    log: terminal.log,
    onLine: terminal.onLine,
    ...(terminal.onRow && { onRecord: watchRows(terminal.onRow) }),
  })
  stopOn(['SIGINT', 'SIGTERM'], async () => {
    await reelsmith.stop()
    await downloaded?.stop()
  })
  const { seed } = await import('./seed.ts')
  const seeded = await seed(directory)
  reelsmith.resume()
  const { baseUrl, mcpUrl, endpoints, platformUrls } = reelsmith
  const consoleUrl = `${reelsmith.studioUrl}#key=${seeded.apiKey}`
  // At its exit it would be too late for the tasks and runs that start before, and a killed run never stores it.
  flushCompileCache()
  const lines = [
    ...(found ? foundServerLines(found, vendors) : []),
    ...(downloaded?.notes ?? []),
    ...(isBundledFfmpeg(ffmpeg) ? [oldFfmpegNote] : []),
  ]
  writeRuntime(directory, {
    baseUrl,
    consoleUrl,
    mcpUrl,
    ...seeded,
    pid: process.pid,
    startedAt: now(),
    endpoints,
    platformUrls,
  })
  console.log(`
  Reelsmith is running. Press Ctrl-C to stop.${lines.map((line) => `\n  ${line}`).join('')}

    Console    ${consoleUrl}
    Base URL   ${baseUrl}
    API key    ${seeded.apiKey}
    MCP        ${mcpUrl} (the same key, as a bearer token or as ?key=)
    Documents  ${new URL('/docs', baseUrl)}
    Sandbox    ${endpoints.sandbox} (posts of the emulated social platforms)
    Data       ${directory}

  Create a video:

    curl -s ${baseUrl}/videos -H "Authorization: Bearer ${seeded.apiKey}" -d '{"prompt": "Three small habits that make mornings calm", "process": {"render": true}}'
`)
  // Builds the studio before its first visit.
  await fetch(reelsmith.studioUrl, { headers: { accept: 'text/html' } })
} catch (error) {
  exitWith(error)
}

function readArguments() {
  try {
    return startArguments(process.argv.slice(2))
  } catch (error) {
    return exitWith(error)
  }
}

function exitWith(error: unknown): never {
  console.error(`Reelsmith could not start: ${startupMessage(error)}`)
  process.exit(1)
}

function startupMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EADDRINUSE') return error.message
  return `port ${process.env.PORT ?? 8787} is in use. Set PORT to another one, for example PORT=8788 npm start.`
}

function wholeNumber(name: string, absent: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(process.env[name] ?? absent)
  const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} must be a whole number ${range}, not ${process.env[name]}.`)
  return value
}

function stopOn(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of signals)
    process.on(signal, async () => {
      if (stopping) return
      stopping = true
      setTimeout(() => process.exit(1), stopMsMax).unref()
      removeRuntime(directory)
      terminal.close()
      await stop()
      process.exit(0)
    })
}
