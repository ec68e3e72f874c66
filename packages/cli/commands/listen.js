/**
 * `listen`: pulls the events of a workspace and forwards them to a program under development. Each event once and in order, also across cut
 * connections and restarts: a cursor is stored after each event.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suggestion } from '../arguments.js'
import { createClient, ReelsmithError } from '../client/index.js'
import { exitCodeOf, exitCodes, Failure, usageFailure } from '../failure.js'
import { forwardEvent, forwardSecret } from '../forward.js'
import { clip, safeText } from '../human-text.js'
import { contract } from '../operations.js'
import { checkedUrl, stateDirectory, writePrivately } from '../profiles.js'
import { createApiClient } from '../requests.js'

/** @import { Client } from '../client/index.js' */
/** @import { Command, Connection, Context, EventEnvelope, Io } from '../types.js' */
/** @typedef {EventEnvelope & { id: string, sequence: number }} StoredEvent */
/** @typedef {{ forward?: string, events?: string[], after?: number, 'print-secret'?: boolean }} Flags */

/** The longest that the service waits for an event before it responds with none. */
const waitSeconds = 20
const pageSize = 100
const retryMsMax = 10_000
const [titleCharactersMin, titleCharactersMax] = [6, 40]
const eventTypes = Object.keys(contract.events).filter((name) => name !== 'webhook.test')
const eventCharactersMax = Math.max(...eventTypes.map(({ length }) => length))

/** @type {Command} */
export const listenCommand = {
  name: 'listen',
  summary: 'Show the events of the workspace as they happen, and forward them to a program',
  details: [
    'Pulls the events: no endpoint and no public address is needed. Each event comes once, in the order of `sequence`. A restart continues ' +
      'where the last one ended, up to 7 days back; the first one begins now.',
    'A forwarded event is signed like a delivery. Its secret, which --print-secret shows, stays the same for a key; REELSMITH_WEBHOOK_SECRET ' +
      'replaces it. A program that cannot be reached is waited for; its response is shown, and nothing is sent twice.',
  ],
  examples: ['listen', 'listen --forward http://localhost:3000/hook --events video.created,video.render_completed'],
  positionals: [],
  flags: [
    { name: 'forward', kind: 'string', placeholder: 'URL', description: 'Post each event to this URL.' },
    { name: 'events', kind: 'list', description: 'Only these events.', values: eventTypes },
    {
      name: 'after',
      kind: 'number',
      placeholder: 'SEQUENCE',
      description: 'Begin after this sequence; 0 for all events of 7 days.',
    },
    { name: 'print-secret', kind: 'boolean', description: 'Print the secret of forwarded events, and end.' },
  ],
  run: async (context) => {
    const { io, args, print } = context
    const { forward, events, after, 'print-secret': printsSecret } = /** @type {Flags} */ (args.values)
    const url = forward === undefined ? undefined : checkedUrl(forward, '--forward')
    const unknown = events?.find((name) => !eventTypes.includes(name))
    if (unknown !== undefined)
      throw usageFailure(`--events: there is no ${unknown}.${suggestion(unknown, eventTypes) || all}`)
    const connection = context.connect()
    const secret = io.env.REELSMITH_WEBHOOK_SECRET || forwardSecret(connection.apiKey)
    if (printsSecret) return print.text(secret)
    const client = createApiClient(context)
    // A sequence belongs to a workspace.
    const { workspace } = await client.account.get({ signal: io.signal })
    const cursor = openCursor([connection.baseUrl, workspace.id, url ?? ''], io)
    const start = after ?? cursor.read() ?? (await newestSequence(client, io))
    cursor.write(start)
    print.note(startText(workspace.name, connection, { url, events }))
    try {
      for await (const { event, position } of pullEvents(connection, { start, events }, context)) {
        if (event) {
          const outcome = url === undefined ? '' : await forwardWhenReached({ event, url, secret }, context)
          if (print.prefersText) print.text(lineOf(event, outcome, io))
          else print.line(outcome ? { ...event, forwarded: outcome } : event)
        }
        cursor.write(position)
      }
    } catch (error) {
      if (!io.signal.aborted) throw isUnknownPosition(error) ? unknownPosition(error) : error
    }
    return exitCodes.done
  },
}

/** @param {unknown} error @returns {error is ReelsmithError} */
const isUnknownPosition = (error) =>
  error instanceof ReelsmithError && (error.details?.some(({ path }) => path === 'query.after') ?? false)

/** @param {ReelsmithError} error */
const unknownPosition = ({ message }) =>
  new Failure('unknown-position', exitCodes.refused, `${message} Begin elsewhere: --after 0 shows all stored events.`)

const all = ` All: ${eventTypes.join(', ')}.`

/** @param {Client} client @param {Pick<Io, 'signal'>} io */
async function newestSequence(client, { signal }) {
  const { paging } = await client.events.list({ limit: 1 }, { signal })
  return paging.lastSequence
}

/**
 * The events after a sequence, in order and for ever, and the positions where none of the wanted ones was found. Waits out failures that
 * may pass. @param {Connection} connection @param {{ start: number, events: string[] | undefined }} query
 * @param {Pick<Context, 'io' | 'print'>} context @returns {AsyncGenerator<{ event?: StoredEvent, position: number }>}
 * @throws ReelsmithError where the service refuses.
 */
async function* pullEvents({ baseUrl, apiKey, workspaceId }, { start, events }, { io, print }) {
  const { signal } = io
  // One attempt: this loop retries without end.
  const client = createClient({ baseUrl, apiKey, workspaceId, fetch: io.fetch, sleep: io.sleep, attemptsMax: 1 })
  const query = { limit: pageSize, wait: waitSeconds, ...(events && { types: events.join(',') }) }
  let after = start
  let failures = 0
  for (;;) {
    /** @type {Awaited<ReturnType<Client['events']['list']>>} */
    let page
    try {
      page = await client.events.list({ ...query, after }, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ReelsmithError) || exitCodeOf(error) !== exitCodes.unavailable) throw error
      if (failures++ === 0) print.note(`${sentence(error.message)} Trying again until it responds; no event is lost.`)
      await io.sleep(Math.max(error.retryAfterMs ?? 0, retryMs(failures)), signal)
      continue
    }
    if (failures > 0) print.note('Connected again.')
    failures = 0
    const { nextAfter, missed } = page.paging
    if (missed) print.note(`Events after ${after} are missing: they are older than 7 days.`)
    for (const event of /** @type {StoredEvent[]} */ (page.data)) {
      signal.throwIfAborted()
      yield { event, position: event.sequence }
    }
    if (nextAfter > after) yield { position: nextAfter }
    after = nextAfter
  }
}

/** @param {string} text */
const sentence = (text) => text.replace(/\.?$/, '.')

/** @param {number} failures */
const retryMs = (failures) => Math.min(500 * 2 ** failures, retryMsMax)

/**
 * Sends an event once; what was not sent, because nothing listens, is sent again.
 * @param {{ event: StoredEvent, url: string, secret: string }} delivery @param {Pick<Context, 'io' | 'print'>} context
 */
async function forwardWhenReached({ event: { id, ...event }, url, secret }, { io, print }) {
  // Not ended by Ctrl-C: the program may have got the event, which a restart would send again.
  const { signal } = new AbortController()
  for (let failures = 1; ; failures++) {
    const { isReached, outcome } = await forwardEvent({ event, id, url, secret }, { ...io, signal })
    if (isReached) return outcome
    if (failures === 1) print.note(`${url}: ${outcome}. Waiting for it.`)
    await io.sleep(retryMs(failures), io.signal)
  }
}

/** A file for each address, workspace and target. @param {string[]} names @param {Pick<Io, 'env'>} io */
function openCursor(names, { env }) {
  const hash = createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 24)
  const file = join(stateDirectory(env), `listen-${hash}.json`)
  return {
    /** @returns {number | undefined} */
    read() {
      try {
        return JSON.parse(readFileSync(file, 'utf8')).after
      } catch {
        return undefined
      }
    },
    /** @param {number} after */
    write: (after) => writePrivately(file, { names, after }),
  }
}

/** Time, event, id, what the program responded, and as much of the title as fits. @param {EventEnvelope} event @param {string} outcome @param {Io} io */
function lineOf({ event, data }, outcome, { now, stdout }) {
  const { automation, video } = /** @type {Record<string, { id: string, title: string } | undefined>} */ (data)
  const subject = (event.startsWith('automation.') ? automation : video) ?? { id: '', title: '' }
  const time = new Date(now()).toTimeString().slice(0, 8)
  const response = outcome && `-> ${outcome.replace(/ in \d+ ms$/, '')}`
  const line = [time, event.padEnd(eventCharactersMax), subject.id, ...(response ? [response] : [])].join('  ')
  const room = Math.min((stdout.columns ?? 120) - line.length - 4, titleCharactersMax)
  return room < titleCharactersMin ? line : `${line}  "${clip(safeText(subject.title).replaceAll('\n', ' '), room)}"`
}

/** @param {string} workspace @param {Connection} connection @param {{ url: string | undefined, events: string[] | undefined }} options */
function startText(workspace, { baseUrl }, { url, events }) {
  const what = `Listening for ${events ? events.join(', ') : 'all events'} of ${workspace} at ${baseUrl}`
  return `${what}${url === undefined ? '' : `, forwarding to ${url}`}. Ctrl-C ends it.`
}
