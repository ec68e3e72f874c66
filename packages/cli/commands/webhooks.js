/** `trigger`, `verify` and `events resend`: for the development of a webhook receiver. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { verifyWebhook, WebhookVerificationError } from '../client/webhooks.js'
import { exitCodes, Failure, usageFailure } from '../failure.js'
import { forwardEvent, forwardSecret } from '../forward.js'
import { contract } from '../operations.js'
import { checkedUrl } from '../profiles.js'
import { createApiClient, readAll } from '../requests.js'

/** @import { Command, Context, EventEnvelope } from '../types.js' */

const testEvent = 'webhook.test'
const secretHint = 'The secret is REELSMITH_WEBHOOK_SECRET, else that of `listen`, which belongs to the key.'

/** @type {Command[]} */
export const webhookCommands = [
  {
    name: 'trigger',
    summary: 'Send a sample of an event to a program, or a test to a webhook endpoint',
    details: [
      '--forward posts the sample of the documents from this machine, signed like a delivery. --webhook lets the service ' +
        `send a ${testEvent}, the only event that it sends without a cause.`,
      secretHint,
    ],
    examples: [
      'trigger video.render_completed --forward http://localhost:3000/hook',
      'trigger webhook.test --webhook whk_01kbexample',
    ],
    positionals: [{ name: 'EVENT', values: Object.keys(contract.events) }],
    flags: [
      { name: 'forward', kind: 'string', placeholder: 'URL', description: 'Where to post the sample.' },
      {
        name: 'webhook',
        kind: 'string',
        placeholder: 'WEBHOOK_ID',
        description: `The endpoint that receives a ${testEvent}.`,
      },
    ],
    run: trigger,
  },
  {
    name: 'events resend',
    summary: 'Queue the payload of a delivery again, as a new delivery',
    details: ['The same as `webhooks resend-delivery`; `webhooks list-deliveries` shows the ids.'],
    examples: ['events resend dlv_01kbexample'],
    positionals: [{ name: 'DELIVERY_ID' }],
    flags: [],
    run: async (context) => {
      const { args, io, print } = context
      print.result(
        await createApiClient(context).webhooks.resendDelivery(args.positionals[0] ?? '', { signal: io.signal }),
      )
    },
  },
  {
    name: 'verify',
    summary: 'Check the signatures and the age of a delivery, whose body is on stdin',
    details: [`Prints the event, or says what is wrong, with exit code 1. ${secretHint}`],
    examples: [
      "verify --header 'webhook-id: dlv_1' --header 'webhook-timestamp: 1793610000' … < body.json",
      'verify --header @headers.txt --tolerance 86400 < body.json',
    ],
    positionals: [],
    flags: [
      {
        name: 'header',
        kind: 'texts',
        placeholder: 'TEXT',
        description: 'A header of the request, as `Name: value`, or @FILE with one on each line. Repeat it.',
      },
      {
        name: 'tolerance',
        kind: 'number',
        placeholder: 'SECONDS',
        description: 'The greatest age of the signature. Default: 300.',
      },
    ],
    run: verify,
  },
]

/** The secret of the environment, else the one that `listen` signs with. @param {Context} context */
function secretOf({ io, connect }) {
  return io.env.REELSMITH_WEBHOOK_SECRET || forwardSecret(connect().apiKey)
}

/** @param {Context} context */
async function trigger(context) {
  const { args, io, print } = context
  const [name = ''] = args.positionals
  const { forward, webhook } = /** @type {{ forward?: string, webhook?: string }} */ (args.values)
  if ((forward === undefined) === (webhook === undefined)) throw usageFailure('Give either --forward or --webhook.')
  if (webhook !== undefined) {
    if (name !== testEvent)
      throw usageFailure(`The service sends only ${testEvent} without a cause. Use --forward for a sample.`)
    return print.result(await createApiClient(context).webhooks.test(webhook, { signal: io.signal }))
  }
  const url = checkedUrl(forward ?? '', '--forward')
  const sample = /** @type {EventEnvelope} */ (contract.events[name])
  const event = { ...sample, createdAt: new Date(io.now()).toISOString() }
  const id = `dlv_sample_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const { isReached, status, outcome } = await forwardEvent({ event, id, url, secret: secretOf(context) }, io)
  if (!isReached || status === undefined)
    throw new Failure('forward-failed', exitCodes.unavailable, `${url}: ${outcome}.`)
  print.result({ event: name, delivery: id, status })
}

/** @param {Context} context */
async function verify(context) {
  const { args, io, print } = context
  const { header: given = [], tolerance } = /** @type {{ header?: string[], tolerance?: number }} */ (args.values)
  const lines = await Promise.all(given.map((text) => (text.startsWith('@') ? fileLines(text.slice(1)) : [text])))
  const headers = Object.fromEntries(
    lines.flat().map((text) => {
      const colon = text.indexOf(':')
      if (colon < 1) throw usageFailure(`--header is "Name: value", not "${text}".`)
      return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
    }),
  )
  const body = await readAll(io.stdin)
  const options = { now: io.now, ...(tolerance !== undefined && { toleranceSeconds: tolerance }) }
  try {
    print.result(await verifyWebhook(body, headers, secretOf(context), options))
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    throw new Failure(error.reason, exitCodes.refused, error.message)
  }
}

/** @param {string} file */
async function fileLines(file) {
  try {
    return (await readFile(file, 'utf8')).split(/\r?\n/).filter((line) => line.trim())
  } catch (error) {
    throw usageFailure(`--header: ${file} cannot be read: ${/** @type {Error} */ (error).message}`)
  }
}
