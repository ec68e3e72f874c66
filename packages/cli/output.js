/** Where the command line prints, and in which form: results to stdout, all else to stderr; JSON for programs, sentences for people. */
import { describeFailure } from './failure.js'
import { humanText, safeText } from './human-text.js'

/** @import { Io, Output, Printer } from './types.js' */

/** @param {Io} io @param {boolean | undefined} human `--human` or `--no-human`. @returns {Printer} */
export function createPrinter({ stdout, stderr }, human) {
  const write = (/** @type {string} */ text) => stdout.write(`${text}\n`)
  return {
    prefersText: human ?? stdout.isTTY === true,
    text: write,
    line: (value) => write(JSON.stringify(value)),
    result: (value) =>
      write(human ? humanText(value, widthOf(stdout)) : JSON.stringify(value, null, stdout.isTTY ? 2 : 0)),
    note: (note) => {
      const isText = human ?? stderr.isTTY
      const value = typeof note === 'string' ? { note } : note
      stderr.write(`${isText ? noteText(value) : JSON.stringify(value)}\n`)
    },
  }
}

/** @param {Output} output */
export const widthOf = ({ columns = 80 }) => Math.max(columns, 40)

/** @param {Io} io @param {unknown} error @param {boolean | undefined} human */
export function printFailure({ stderr }, error, human) {
  const failure = describeFailure(error)
  stderr.write(`${(human ?? stderr.isTTY) ? failureText(failure) : JSON.stringify({ error: failure })}\n`)
}

/** @param {Record<string, any>} note */
function noteText({ note, warning }) {
  if (!warning) return safeText(note)
  const hint = warning.didYouMean ? ` Did you mean ${warning.didYouMean}?` : ''
  return safeText(`Warning: ${warning.path} ${warning.message}.${hint}`)
}

const actions = /** @type {Record<string, string>} */ ({
  upgrade: 'A larger plan allows it.',
  credits: 'More credits allow it.',
  connect: 'Connect the account again.',
})

/** @param {Record<string, any>} failure */
function failureText({ message, code, status, requestId, details = [], action, blockers = [] }) {
  const origin = status ? ` (${[code, status, requestId].filter(Boolean).join(', ')})` : ''
  return [
    `Error: ${message}${origin}`,
    ...details.map((/** @type {any} */ { path, message, allowed }) => {
      const choice = allowed ? ` Allowed: ${allowed.join(', ')}.` : ''
      return `  ${path}: ${message}${choice}`
    }),
    ...blockers.map((/** @type {any} */ { label }) => `  ${label}`),
    ...(action && actions[action] ? [`  ${actions[action]}`] : []),
  ]
    .map(safeText)
    .join('\n')
}
