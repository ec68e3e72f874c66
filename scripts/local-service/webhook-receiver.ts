/**
 * A webhook receiver on this machine for the time of one command: registers an endpoint at the service, verifies whatever
 * arrives there, and removes the endpoint at the end.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { type Client, ReelsmithError } from '../../lib/contract/client.ts'
import { verifyWebhook, type WebhookEvent } from '../../lib/contract/verify-webhook.ts'
import type { EventType } from '../../lib/domain/records/event.ts'
import { listen, runOnce } from '../../local/listen.ts'

export interface VerifiedDelivery {
  event: WebhookEvent
  /** The bytes that were signed. */
  rawBody: Buffer
  headers: IncomingMessage['headers']
}

/** What the service is told of a delivery. */
export interface Acknowledgement {
  status: number
  headers?: Record<string, string>
}

export interface ReceiverOptions {
  events: readonly EventType[]
  onDelivery: (delivery: VerifiedDelivery) => Acknowledgement | Promise<Acknowledgement>
  /** For what reached the address and is no delivery, or not whole: mostly a `WebhookVerificationError`. */
  onRejected: (error: Error) => void
}

export interface TemporaryReceiver {
  webhookId: string
  /** Whoever gets the deliveries handed on needs it to verify them. */
  secret: string
  /** Removes the endpoint and stops. Where the service cannot be asked it says so; the next receiver then removes it. */
  close: () => Promise<void>
}

const closeMsMax = 800

export async function receiveWebhooks(client: Client, options: ReceiverOptions): Promise<TemporaryReceiver> {
  const path = `${pathPrefix}${process.pid}`
  const secret = Promise.withResolvers<string>()
  const server = createServer(async (request, response) => {
    const { status, headers } =
      request.url === path ? await answerTo(request, secret.promise, options) : { status: 404 }
    response.writeHead(status, headers).end()
  })
  const door = await listen(server, 0)
  try {
    await removeLeftovers(client)
    const url = door.url + path
    const endpoint = await client.createWebhook({ body: { url, events: [...options.events] } })
    secret.resolve(endpoint.secret)
    const close = runOnce(async () => {
      await remove(client, endpoint.id, AbortSignal.timeout(closeMsMax)).catch(({ message }: Error) => {
        console.error(`The webhook endpoint could not be deleted (${message}); the next such command does it.`)
      })
      await door.stop()
    })
    return { webhookId: endpoint.id, secret: endpoint.secret, close }
  } catch (error) {
    await door.stop()
    throw error
  }
}

/** The first delivery may be here before the answer that tells the secret. */
async function answerTo(
  request: IncomingMessage,
  secret: Promise<string>,
  { onDelivery, onRejected: onRefused }: ReceiverOptions,
): Promise<Acknowledgement> {
  try {
    const rawBody = Buffer.concat(await request.toArray())
    const event = verifyWebhook(rawBody, request.headers, await secret)
    return await onDelivery({ event, rawBody, headers: request.headers })
  } catch (error) {
    onRefused(error instanceof Error ? error : new Error(String(error)))
    return { status: 400 }
  }
}

/** The address says whose receiver it is: an endpoint is left over if that process is no more. */
const pathPrefix = '/receiver-of-process-'
const ownUrl = new RegExp(`^http://127\\.0\\.0\\.1:\\d+${pathPrefix}(\\d+)$`)

async function removeLeftovers(client: Client): Promise<void> {
  for (const { id, url } of await Array.fromAsync(client.pages.listWebhooks())) {
    const pid = ownUrl.exec(url)?.[1]
    if (pid && !isAlive(Number(pid))) await remove(client, id)
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 asks and does nothing (kill(2)).
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function remove(client: Client, id: string, signal?: AbortSignal): Promise<void> {
  try {
    await client.deleteWebhook({ params: { id }, signal })
  } catch (error) {
    const isGone = error instanceof ReelsmithError && error.status === 404
    if (!isGone) throw error
  }
}
