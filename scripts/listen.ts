/**
 * `npm run listen [-- --forward URL] [--events a,b] [--json]`: shows the webhooks of the local run as they arrive and forwards them
 * to a program under development, until Ctrl-C.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type EventType, eventTypes } from '../lib/domain/records/event.ts'
import { type Client, createClient, ReelsmithError, type WebhookEvent } from '../packages/client/index.js'
import { findLocalService } from './local-service/service.ts'
import type { Acknowledgement, TemporaryReceiver, VerifiedDelivery } from './local-service/webhook-receiver.ts'
import { receiveWebhooks } from './local-service/webhook-receiver.ts'

const watchMs = 1_000
/** The service's own delivery timeout. */
const forwardMsMax = 8_000
const titleCharactersMax = 40
const eventCharactersMax = Math.max(...eventTypes.map(({ length }) => length))
const forwarded = /^(?:x-service-.+|webhook-.+|content-type|user-agent)$/

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort())
// The reader of a pipe has closed it, as in `npm run listen -- --json | head -1`.
process.stdout.on('error', () => ended.abort())

try {
  await run(parseArguments(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

interface Arguments {
  forward: URL | undefined
  events: readonly EventType[]
  json: boolean
}

function parseArguments(args: string[]): Arguments {
  const options = { forward: { type: 'string' }, events: { type: 'string' }, json: { type: 'boolean' } } as const
  const { forward, events, json = false } = parseArgs({ args, options }).values
  return { forward: forward === undefined ? undefined : urlOf(forward), events: eventsOf(events), json }
}

function urlOf(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Error(`--forward must be a URL such as http://localhost:3000/hook, not ${text}.`)
}

function eventsOf(text: string | undefined): readonly EventType[] {
  if (text === undefined) return eventTypes
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !eventTypes.some((type) => type === name))
  if (unknown === undefined) return names as EventType[]
  throw new Error(`--events: "${unknown}" is not an event. The events are:\n  ${eventTypes.join('\n  ')}`)
}

async function run({ forward, events, json }: Arguments): Promise<void> {
  const { baseUrl, apiKey } = findLocalService()
  const client = createClient({ baseUrl, apiKey })
  const receiver = await receiveWebhooks(client, {
    events,
    onDelivery: async (delivery) => {
      const answer = forward ? await forwardDelivery(delivery, forward) : { status: 204, outcome: '' }
      const { event } = delivery
      console.log(json ? JSON.stringify(event) : [lineOf(event), 'verified', answer.outcome].join('  ').trimEnd())
      return answer
    },
    onRejected: (error) => console.error(`${clock()}  REFUSED  ${error.message}`),
  })
  try {
    // On stderr: stdout has only events, which a program may read.
    console.error(startupText(receiver, { forward, events, json }, baseUrl))
    await watch(client, receiver)
  } finally {
    await receiver.close()
  }
}

/** Resolves at Ctrl-C. Throws once no delivery can arrive: the endpoint is disabled or deleted, or the service is down. */
async function watch(client: Client, { webhookId }: TemporaryReceiver): Promise<void> {
  const { signal } = ended
  while (!signal.aborted) {
    try {
      await delay(watchMs, undefined, { signal })
      const { enabled, disabledReason } = await client.webhooks.get(webhookId, { signal })
      if (!enabled) throw new Error(`The endpoint was disabled. ${disabledReason ?? ''}`)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ReelsmithError)) throw error
      if (error.status === 404) throw new Error('The endpoint was deleted.')
      throw error.code === 'network-error' ? new Error('The service does not respond.') : error
    }
  }
}

/** Forwards a delivery unchanged and passes the status of the target back to the service, which then retries accordingly. */
async function forwardDelivery(
  { rawBody, headers }: VerifiedDelivery,
  target: URL,
): Promise<Acknowledgement & { outcome: string }> {
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => forwarded.test(entry[0]))
  const startedAt = Date.now()
  try {
    const response = await fetch(target, {
      method: 'POST',
      body: rawBody,
      headers: sent,
      redirect: 'manual',
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(forwardMsMax)]),
    })
    await response.body?.cancel()
    const { status } = response
    const retryAfter = response.headers.get('retry-after')
    const outcome = `-> ${status} in ${Date.now() - startedAt} ms`
    return { status, outcome, headers: retryAfter ? { 'retry-after': retryAfter } : {} }
  } catch (error) {
    const { cause, message } = error as Error
    return { status: 502, outcome: `-> not reached (${(cause as NodeJS.ErrnoException | undefined)?.code ?? message})` }
  }
}

/** Time, event, id and title. */
function lineOf(event: WebhookEvent): string {
  const subject = subjectOf(event)
  // Titles are untrusted: no control character may reach the terminal.
  const title = Array.from(subject.title.replace(/\p{C}/gu, ' '))
  const shown = title.length > titleCharactersMax ? [...title.slice(0, titleCharactersMax - 1), '…'] : title
  return [clock(), event.event.padEnd(eventCharactersMax), subject.id, `"${shown.join('')}"`].join('  ')
}

/** The automation or video of the event; the endpoint itself for a test. */
function subjectOf({ data }: WebhookEvent): { id: string; title: string } {
  if ('message' in data) return { id: data.webhookId, title: data.message }
  return 'automation' in data ? data.automation : data.video
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8)
}

function startupText(
  { webhookId, secret }: TemporaryReceiver,
  { forward, events }: Arguments,
  baseUrl: string,
): string {
  return `
  Listening for webhooks of ${baseUrl}

    Endpoint   ${webhookId}
    Secret     ${secret}
    Events     ${events === eventTypes ? `all ${events.length}` : events.join(', ')}${forward ? `\n    Forward    ${forward}` : ''}

  Press Ctrl-C to delete the endpoint and stop.
`
}
