/** Receives the webhooks of one video in this process and checks that all arrive and all signatures verify. */
import { setTimeout as delay } from 'node:timers/promises'
import { type EventType, eventTypes } from '../../lib/domain/records/event.ts'
import type { Client, WebhookEvent } from '../../packages/client/index.js'
import { receiveWebhooks } from './webhook-receiver.ts'

const productionEvents: EventType[] = ['video.created', 'video.generation_completed', 'video.render_completed']
/** Exactly one of them ends a publication. */
const publishEvents: EventType[] = ['video.published', 'video.publish_failed']
const arriveMsMax = 15_000
const pollMs = 20

interface FollowedEvents {
  /** Sets the video to follow; events of other videos are ignored. */
  resolveVideoId: (videoId: string) => void
  /** The number of events, once all of a published video have arrived. Throws if one is missing or fails verification. */
  complete: (how?: { signal?: AbortSignal; withinMs?: number }) => Promise<number>
  close: () => Promise<void>
}

/** Calls `show` once for each event of the video. */
export async function followEvents(client: Client, show: (event: EventType) => void): Promise<FollowedEvents> {
  const video = Promise.withResolvers<string>()
  const received = new Map<string, EventType>()
  const refused: Error[] = []
  const note = async ({ event, data }: WebhookEvent, delivery: string) => {
    const isOurs = 'video' in data && data.video.id === (await video.promise)
    if (isOurs && event !== 'webhook.test' && !received.has(delivery)) {
      received.set(delivery, event)
      show(event)
    }
  }
  const receiver = await receiveWebhooks(client, {
    events: eventTypes,
    onDelivery: note,
    onRejected: (error) => refused.push(error),
  })
  const has = (type: EventType) => received.values().some((event) => event === type)
  const missing = () => [
    ...productionEvents.filter((type) => !has(type)),
    ...(publishEvents.some(has) ? [] : publishEvents.slice(0, 1)),
  ]
  return {
    resolveVideoId: video.resolve,
    complete: async ({ signal, withinMs = arriveMsMax } = {}) => {
      const deadline = Date.now() + withinMs
      while (missing().length > 0 && refused.length === 0 && Date.now() < deadline)
        await delay(pollMs, undefined, { ...(signal && { signal }) })
      if (refused.length > 0) throw new Error(`A delivery could not be verified. ${refused[0]?.message}`)
      if (missing().length > 0) throw new Error(`No webhook arrived for ${missing().join(', ')}.`)
      return received.size
    },
    close: receiver.close,
  }
}
