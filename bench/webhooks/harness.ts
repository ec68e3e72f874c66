/** Harness of the webhook benches: the service in a separate process, the receivers in a worker thread. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { localEnvironment } from '../../local/environment.ts'
import type { Ceiling } from './ceiling.ts'
import type { Arrival, ReceiverConnections, ReceiverQuery } from './receivers.ts'
import type { ServiceCommand, ServiceMessage } from './service.ts'

export interface WebhookHarness {
  /** Base URLs of the receivers, each on another host, without a trailing slash. */
  receivers: string[]
  /** The first request of every delivery since the start. */
  arrivals: () => Promise<Arrival[]>
  /** Opens `count` malicious receivers and returns their URLs. */
  hostile: (count: number) => Promise<string[]>
  held: () => Promise<ReceiverConnections>
  /** Memory of the service in bytes; the peak is since the last call. */
  memory: () => { now: number; peak: number }
  /** Starts the deliveries. */
  resume: () => void
  stop: () => Promise<void>
}

const start = (file: string, directory: string): ChildProcess =>
  fork(join(import.meta.dirname, file), [directory], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

/** Also sets the environment of this process: import from `lib` after it, to reach the same emulators. */
export async function startWebhookHarness(directory: string): Promise<WebhookHarness> {
  const service = start('service.ts', directory)
  const { endpoints } = await firstMessage<Extract<ServiceMessage, { endpoints: object }>>(service)
  Object.assign(process.env, localEnvironment(endpoints, { platformUrls: {} }))
  let rss = { now: 0, peak: 0 }
  service.on('message', (message: ServiceMessage) => {
    if ('rssBytes' in message) rss = { now: message.rssBytes, peak: Math.max(rss.peak, message.rssBytes) }
  })
  const send = (command: ServiceCommand) => void service.send(command)

  const receivers = new Worker(new URL('./receivers.ts', import.meta.url))
  const ask = async <Reply>(query: ReceiverQuery): Promise<Reply> => {
    receivers.postMessage(query)
    const [reply] = await once(receivers, 'message')
    return reply
  }
  return {
    receivers: await ask<string[]>({ ask: 'urls' }),
    arrivals: () => ask<Arrival[]>({ ask: 'arrivals' }),
    hostile: (count) => ask<string[]>({ ask: 'hostile', count }),
    held: () => ask<ReceiverConnections>({ ask: 'held' }),
    memory: () => {
      const sample = rss
      rss = { now: rss.now, peak: rss.now }
      return sample
    },
    resume: () => send('resume'),
    stop: async () => {
      const ended = once(service, 'exit')
      send('stop')
      await Promise.all([ended, receivers.terminate()])
    },
  }
}

/** The ceiling of the emulators, measured while nothing else runs. */
export async function measureCeiling(directory: string): Promise<Ceiling> {
  const child = start('ceiling.ts', directory)
  const ended = once(child, 'exit')
  const ceiling = await firstMessage<Ceiling>(child)
  await ended
  return ceiling
}

async function firstMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.at(-2)} exited with code ${code} before its first message.`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}
