/** `doctor`: checks what a command needs, and says for each fault what to do. */
import { existsSync } from 'node:fs'
import { ReelsmithError } from '../client/index.js'
import { exitCodes, Failure } from '../failure.js'
import { contract } from '../operations.js'
import { credentialsFile, isExposed } from '../profiles.js'
import { createApiClient } from '../requests.js'

/** @import { Command, Connection, Context } from '../types.js' */
/** @typedef {{ name: string, ok: boolean, message: string, exitCode?: number }} Check */

const nodeVersionMin = [20, 19]
const responseMsMax = 10_000
/** Half of the greatest age of a signature. */
const skewSecondsMax = 150

/** @type {Command} */
export const doctorCommand = {
  name: 'doctor',
  summary: 'Check the address, the key, the clock and the versions, and say what to do',
  details: [
    'Exit code 0 if all is well, else that of the first fault: 3 for the key, 4 for the address, 1 for others.',
  ],
  examples: ['doctor'],
  positionals: [],
  flags: [],
  run: async (context) => {
    const checks = await allChecks(context)
    const ok = checks.every((check) => check.ok)
    if (context.print.prefersText)
      for (const check of checks) context.print.text(`${check.ok ? '✓' : '✗'} ${check.message}`)
    else context.print.result({ ok, checks: checks.map(({ exitCode: _, ...check }) => check) })
    return checks.find((check) => !check.ok)?.exitCode ?? (ok ? exitCodes.done : exitCodes.refused)
  },
}

/** @param {Context} context @returns {Promise<Check[]>} */
async function allChecks(context) {
  const local = [runtimeCheck(), credentialsCheck(context)]
  const connection = connectionOf(context)
  if ('ok' in connection) return [...local, connection]
  const { check, response } = await addressCheck(connection, context)
  if (!response) return [...local, check]
  return [
    ...local,
    check,
    await keyCheck(connection, context),
    clockCheck(response, context),
    await mcpCheck(connection, context),
  ]
}

/** @returns {Check} */
function runtimeCheck() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = nodeVersionMin
  const ok = major > majorMin || (major === majorMin && minor >= minorMin)
  const version = `reelsmith ${contract.version} runs on Node ${process.versions.node} (${process.platform}, ${process.arch}).`
  return {
    name: 'runtime',
    ok,
    message: ok ? version : `${version} Install Node ${nodeVersionMin.join('.')} or later.`,
  }
}

/** @param {Context} context @returns {Check} */
function credentialsCheck({ io }) {
  const file = credentialsFile(io.env)
  const ok = !isExposed(io.env)
  const stored = existsSync(file) ? `Only you can read ${file}.` : `No profile is stored in ${file}.`
  const message = ok ? stored : `Others can read the keys in ${file}. Run: chmod 600 ${file}`
  return { name: 'credentials', ok, message }
}

/** @param {Context} context @returns {Connection | Check} */
function connectionOf({ connect }) {
  try {
    return connect()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { name: 'key', ok: false, message: error.message, exitCode: error.exitCode }
  }
}

/** Without the key: an address that is not the service must not receive it. @param {Connection} connection @param {Context} context */
async function addressCheck({ baseUrl, source }, { io }) {
  /** @param {boolean} ok @param {string} message @returns {Check} */
  const result = (ok, message) => ({ name: 'address', ok, message, exitCode: exitCodes.unavailable })
  const startedMs = io.now()
  try {
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(responseMsMax)])
    const response = await io.fetch(`${baseUrl}/`, { signal, redirect: 'manual' })
    const text = await response.text()
    if (response.status === 401 && text.includes('"unauthorized"'))
      return { response, check: result(true, `${baseUrl} (from ${source}) responds in ${io.now() - startedMs} ms.`) }
    const hint = `An address ends in /v1, as in http://127.0.0.1:8787/v1.`
    return {
      check: result(false, `${baseUrl} responds with status ${response.status}, but is not the Reelsmith API. ${hint}`),
    }
  } catch (error) {
    io.signal.throwIfAborted()
    const { cause, message } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error)
    const reason = cause?.code ?? message
    return {
      check: result(
        false,
        `${baseUrl} (from ${source}) does not respond: ${reason}. Check the address, the network and that the service runs.`,
      ),
    }
  }
}

/** @param {Connection} connection @param {Context} context @returns {Promise<Check>} */
async function keyCheck({ source }, context) {
  try {
    const { workspace, plan, credits } = await createApiClient(context).account.get({ signal: context.io.signal })
    const balance = credits.balance === null ? 'unlimited credits' : `${credits.balance} credits`
    return {
      name: 'key',
      ok: true,
      message: `The key belongs to ${workspace.name} (${workspace.id}): plan ${plan.id}, ${balance}.`,
    }
  } catch (error) {
    if (!(error instanceof ReelsmithError)) throw error
    const isRefused = error.status === 401
    const advice = isRefused ? `Replace the key of ${source}: reelsmith login, or REELSMITH_API_KEY.` : 'Try again.'
    const exitCode = isRefused ? exitCodes.authentication : exitCodes.unavailable
    return { name: 'key', ok: false, message: `The key is not accepted: ${error.message} ${advice}`, exitCode }
  }
}

/** @param {Response} response @param {Context} context @returns {Check} */
function clockCheck({ headers }, { io }) {
  const seconds = Math.round((io.now() - Date.parse(headers.get('date') ?? '')) / 1000)
  if (Number.isNaN(seconds))
    return { name: 'clock', ok: true, message: 'The service sends no time to compare the clock with.' }
  const ok = Math.abs(seconds) <= skewSecondsMax
  const distance = Math.abs(seconds) < 5 ? 'is right' : `is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`
  const message = `The clock of this machine ${distance}.`
  return { name: 'clock', ok, message: ok ? message : `${message} Signatures of webhooks are refused: set the clock.` }
}

/** Also tells the version of the service. @param {Connection} connection @param {Context} context @returns {Promise<Check>} */
async function mcpCheck({ baseUrl, apiKey }, { io }) {
  const url = `${baseUrl}/mcp`
  const clientInfo = { name: 'reelsmith', version: contract.version }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  try {
    const response = await io.fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(responseMsMax)]),
    })
    const version = /"serverInfo":\s*\{[^}]*"version":\s*"([\w.-]+)"/.exec(await response.text())?.[1]
    if (!version) return { name: 'version', ok: true, message: `${url} does not say the version of the service.` }
    const sameMajor = version.split('.')[0] === contract.version.split('.')[0]
    const message = `The service has version ${version}; its MCP server is ${url}.`
    return {
      name: 'version',
      ok: sameMajor,
      message: sameMajor ? message : `${message} Update: npm install -g reelsmith`,
    }
  } catch (error) {
    io.signal.throwIfAborted()
    return { name: 'version', ok: true, message: `${url} does not respond: ${/** @type {Error} */ (error).message}.` }
  }
}
