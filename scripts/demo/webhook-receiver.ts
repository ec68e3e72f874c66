/**
 * A temporary webhook receiver on loopback: registers an endpoint, verifies each delivery, and deletes the endpoint on close.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { EventType } from '../../lib/domain/records/event.ts'
import { listen, runOnce } from '../../local/listen.ts'
import { type Client, ReelsmithError } from '../../packages/client/index.js'
import { verifyWebhook, type WebhookEvent } from '../../packages/client/webhooks.js'

interface ReceiverOptions {
  events: readonly EventType[]
  /** Called for each verified delivery. */
  onDelivery: (event: WebhookEvent, deliveryId: string) => Promise<void>
  /** Called for a request that fails verification or cannot be read: mostly with a `WebhookVerificationError`. */
  onRejected: (error: Error) => void
}

interface TemporaryReceiver {
  /** Deletes the endpoint and stops. If the service does not respond, it prints a warning and the next receiver deletes the endpoint. */
  close: () => Promise<void>
}

const closeMsMax = 800

export async function receiveWebhooks(client: Client, options: ReceiverOptions): Promise<TemporaryReceiver> {
  const path = `${pathPrefix}${process.pid}`
  const secret = Promise.withResolvers<string>()
  const server = createServer(async (request, response) => {
    response.writeHead(request.url === path ? await statusFor(request, secret.promise, options) : 404).end()
  })
  const running = await listen(server, 0)
  try {
    await removeLeftovers(client)
    const url = running.url + path
    const endpoint = await client.webhooks.create({ url, events: options.events })
    secret.resolve(endpoint.secret)
    const close = runOnce(async () => {
      await remove(client, endpoint.id, AbortSignal.timeout(closeMsMax)).catch(({ message }: Error) => {
        console.error(
          `The webhook endpoint could not be deleted (${message}). The next command with a receiver deletes it.`,
        )
      })
      await running.stop()
    })
    return { close }
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** Waits for the secret: the first delivery may arrive before the response that contains it. */
async function statusFor(
  request: IncomingMessage,
  secret: Promise<string>,
  { onDelivery, onRejected }: ReceiverOptions,
): Promise<number> {
  try {
    const rawBody = Buffer.concat(await request.toArray())
    const event = await verifyWebhook(rawBody, request.headers, await secret)
    await onDelivery(event, String(request.headers['x-service-delivery']))
    return 204
  } catch (error) {
    onRejected(error instanceof Error ? error : new Error(String(error)))
    return 400
  }
}

/** The path contains the receiver's process id: an endpoint of a dead process is left over. */
const pathPrefix = '/receiver-of-process-'
const ownUrl = new RegExp(`^http://127\\.0\\.0\\.1:\\d+${pathPrefix}(\\d+)$`)

async function removeLeftovers(client: Client): Promise<void> {
  for (const { id, url } of await Array.fromAsync(client.webhooks.list())) {
    const pid = ownUrl.exec(url)?.[1]
    if (pid && !isAlive(Number(pid))) await remove(client, id)
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists (kill(2)).
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function remove(client: Client, id: string, signal?: AbortSignal): Promise<void> {
  try {
    await client.webhooks.delete(id, { signal })
  } catch (error) {
    const isGone = error instanceof ReelsmithError && error.status === 404
    if (!isGone) throw error
  }
}
