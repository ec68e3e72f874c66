/** What the local run tells of one video, delivered to this process by webhooks, and whether all of it came and was genuine. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../lib/contract/client.ts'
import { type EventType, eventTypes } from '../../lib/domain/records/event.ts'
import { receiveWebhooks, type VerifiedDelivery } from '../local-service/webhook-receiver.ts'

const made: EventType[] = ['video.created', 'video.generation_completed', 'video.render_completed']
/** One of them ends a publication. */
const published: EventType[] = ['video.published', 'video.publish_failed']
const arriveMsMax = 15_000
const pollMs = 20

export interface FollowedEvents {
  /** Which video it is about: the service also tells what others make on it. */
  resolveVideoId: (videoId: string) => void
  /** How many events came, once those of a video that was made and published did; throws where one is missing or was not genuine. */
  complete: (how?: { signal?: AbortSignal; withinMs?: number }) => Promise<number>
  close: () => Promise<void>
}

/** Each event of the video is shown once, as soon as it is known to be one. */
export async function followEvents(client: Client, show: (event: EventType) => void): Promise<FollowedEvents> {
  const video = Promise.withResolvers<string>()
  const received = new Map<unknown, EventType>()
  const refused: Error[] = []
  const note = async ({ event: { event, data }, headers }: VerifiedDelivery) => {
    const delivery = headers['x-service-delivery']
    const isOurs = (data.video as { id: string } | undefined)?.id === (await video.promise)
    if (isOurs && event !== 'webhook.test' && !received.has(delivery)) {
      received.set(delivery, event)
      show(event)
    }
    return { status: 204 }
  }
  const receiver = await receiveWebhooks(client, {
    events: eventTypes,
    onDelivery: note,
    onRejected: (error) => refused.push(error),
  })
  const has = (type: EventType) => received.values().some((event) => event === type)
  const missing = () => [...made.filter((type) => !has(type)), ...(published.some(has) ? [] : published.slice(0, 1))]
  return {
    resolveVideoId: video.resolve,
    complete: async ({ signal, withinMs = arriveMsMax } = {}) => {
      const deadline = Date.now() + withinMs
      while (missing().length > 0 && refused.length === 0 && Date.now() < deadline)
        await delay(pollMs, undefined, { ...(signal && { signal }) })
      if (refused.length > 0) throw new Error(`A delivery could not be verified. ${refused[0]?.message}`)
      if (missing().length > 0) throw new Error(`No webhook told of ${missing().join(', ')}.`)
      return received.size
    },
    close: receiver.close,
  }
}
