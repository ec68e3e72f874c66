/** Asks on a terminal, a secret without echo; reads lines where stdin is a pipe. Questions go to stderr. */
import { StringDecoder } from 'node:string_decoder'
import { exitCodes, Failure } from './failure.js'

/** @import { Io } from './types.js' */

/** @param {Pick<Io, 'stdin' | 'stderr'>} io */
export function createPrompt({ stdin, stderr }) {
  const chunks = stdin[Symbol.asyncIterator]()
  const decoder = new StringDecoder('utf8')
  let pending = ''
  let isStarted = false

  /** Without its end; what is left of the input where it has none. */
  async function line() {
    for (;;) {
      // Raw mode sends the keys as they are: backspace, Ctrl-C.
      if (pending.includes('\u0003')) throw new Failure('interrupted', exitCodes.interrupted, 'Interrupted.')
      const end = /\r\n|[\r\n]/.exec(pending)
      if (end) {
        const text = pending.slice(0, end.index)
        pending = pending.slice(end.index + end[0].length)
        return text
      }
      isStarted = true
      const { value, done } = await chunks.next()
      if (done) {
        const text = pending
        pending = ''
        return text
      }
      pending += typeof value === 'string' ? value : decoder.write(Buffer.from(value))
    }
  }

  return {
    /** @param {string} question */
    async ask(question) {
      if (stdin.isTTY) stderr.write(question)
      return (await line()).trim()
    },
    /** @param {string} question */
    async askSecretly(question) {
      if (!stdin.isTTY) return (await line()).trim()
      stderr.write(question)
      stdin.setRawMode?.(true)
      try {
        return withoutDeleted(await line()).trim()
      } finally {
        stdin.setRawMode?.(false)
        stderr.write('\n')
      }
    },
    /** A terminal that is still read from would keep the process alive. */
    close() {
      if (isStarted) void chunks.return?.()
    },
  }
}

/** Applies backspace (DEL, or BS on some terminals). @param {string} text */
function withoutDeleted(text) {
  /** @type {string[]} */
  const characters = []
  for (const character of text) {
    if (character === '\u007f' || character === '\b') characters.pop()
    else characters.push(character)
  }
  return characters.join('')
}
