/**
 * Finds the address and the key of a command, and keeps those of `login` in a file that only its user can read.
 * A key is never an argument, never printed and never logged.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { exitCodes, Failure, usageFailure } from './failure.js'

/** @import { Connection, Io } from './types.js' */
/** @typedef {{ baseUrl: string, apiKey: string, workspaceId?: string }} Profile */
/** @typedef {{ current: string, profiles: Record<string, Profile> }} Credentials */

export const profileName = /^[\w.-]{1,40}$/

/** XDG Base Directory Specification: a relative path is ignored. @param {string | undefined} path @param {string} otherwise */
const folder = (path, otherwise) => (path && isAbsolute(path) ? path : join(homedir(), otherwise))

/** @param {Io['env']} env */
export const credentialsFile = (env) => join(folder(env.XDG_CONFIG_HOME, '.config'), 'reelsmith', 'credentials.json')

/** Where `listen` keeps its cursors. @param {Io['env']} env */
export const stateDirectory = (env) => join(folder(env.XDG_STATE_HOME, '.local/state'), 'reelsmith')

/** @param {Io['env']} env @returns {Credentials} @throws Failure where the file is not readable. */
export function readCredentials(env) {
  const file = credentialsFile(env)
  try {
    return { current: 'default', profiles: {}, ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return { current: 'default', profiles: {} }
    // The message of a syntax error would quote the file.
    const reason = /** @type {NodeJS.ErrnoException} */ (error).code ?? 'it is not JSON'
    const message = `${file} cannot be read: ${reason}. Correct it, or delete it and log in again.`
    throw new Failure('credentials-unreadable', exitCodes.authentication, message)
  }
}

/** @param {Io['env']} env @param {Credentials} credentials */
export function writeCredentials(env, credentials) {
  writePrivately(credentialsFile(env), credentials)
}

/** @param {Io['env']} env */
export const deleteCredentials = (env) => rmSync(credentialsFile(env), { force: true })

/** Renamed into place: a reader never sees half a file, and a looser mode of the old one does not last. @param {string} file @param {unknown} value */
export function writePrivately(file, value) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
}

/** Whether other users of the machine can read the keys. @param {Io['env']} env */
export function isExposed(env) {
  const { mode } = statSync(credentialsFile(env), { throwIfNoEntry: false }) ?? { mode: 0 }
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}

/**
 * In this order: --profile, the environment, the profile of REELSMITH_PROFILE or of the last login, the service of this machine.
 * @param {Io} io @param {{ profile?: string | undefined, workspace?: string | undefined }} flags
 * @returns {Connection} @throws Failure where none has an address and a key.
 */
export function findConnection({ env, findLocalService }, { profile, workspace }) {
  const workspaceId = workspace ?? env.REELSMITH_WORKSPACE_ID
  const found = profile === undefined ? (fromEnvironment(env) ?? fromProfile(env)) : fromProfile(env, profile)
  if (found) {
    checkKey(found.apiKey, found.source)
    return workspaceId ? { ...found, workspaceId } : found
  }
  const local = findLocalService?.()
  if (local) return { ...local, source: 'the service of this machine', workspaceId }
  const hint = findLocalService ? ', or start the service in another terminal with the same DATA_DIR: npm start' : ''
  const message = `There is no key. Run \`reelsmith login\`, or set REELSMITH_BASE_URL and REELSMITH_API_KEY${hint}.`
  throw new Failure('no-credentials', exitCodes.authentication, message)
}

/** The network would refuse other characters with a message that has the key. @param {string} apiKey @param {string} source */
export function checkKey(apiKey, source) {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return
  const message = `The key of ${source} has characters that no key has, such as a space or a line break.`
  throw new Failure('invalid-key', exitCodes.authentication, message)
}

/** Both or none: a key never goes to the address of another one. @param {Io['env']} env @returns {Connection | undefined} */
function fromEnvironment({ REELSMITH_BASE_URL: baseUrl, REELSMITH_API_KEY: apiKey }) {
  if (baseUrl && apiKey)
    return { baseUrl: checkedUrl(baseUrl, 'REELSMITH_BASE_URL'), apiKey, source: 'the environment' }
  if (!baseUrl && !apiKey) return undefined
  const [given, missing] = baseUrl ? ['BASE_URL', 'API_KEY'] : ['API_KEY', 'BASE_URL']
  const message = `REELSMITH_${given} is set, REELSMITH_${missing} is not. Set both, or neither to use a profile.`
  throw new Failure('no-credentials', exitCodes.authentication, message)
}

/** @param {Io['env']} env @param {string} [name] @returns {Connection | undefined} */
function fromProfile(env, name = env.REELSMITH_PROFILE) {
  const { current, profiles } = readCredentials(env)
  const found = Object.hasOwn(profiles, name ?? current) ? profiles[name ?? current] : undefined
  if (found) return { ...found, source: `the profile ${name ?? current}` }
  if (name === undefined) return undefined
  const known = Object.keys(profiles).join(', ') || 'none'
  const message = `There is no profile ${name}. Profiles: ${known}. Make it: reelsmith login --profile ${name}`
  throw new Failure('no-credentials', exitCodes.authentication, message)
}

/** @param {string} text @param {string} origin @returns {string} Without a slash at its end. */
export function checkedUrl(text, origin) {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usageFailure(`${origin} must be a URL such as http://127.0.0.1:8787/v1, not ${text}.`)
  const { username, password } = new URL(text)
  if (username || password) throw usageFailure(`${origin} must not contain a user name or password.`)
  return text.replace(/\/+$/, '')
}
