/** What the benches of webhooks run on: the service in a process of its own, the receivers in a thread of their own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { localEnvironment } from '../../local/environment.ts'
import type { Ceiling } from './ceiling.ts'
import type { Arrival, ReceiverConnections, ReceiverQuery } from './receivers.ts'
import type { ServiceCommand, ServiceMessage } from './service.ts'

export interface WebhookHarness {
  /** Where the receivers listen, without a slash at the end. */
  receivers: string
  /** Every first post since the start. */
  arrivals: () => Promise<Arrival[]>
  /** Opens so many hostile receivers; their URLs. */
  hostile: (count: number) => Promise<string[]>
  held: () => Promise<ReceiverConnections>
  /** The memory of the service since this was asked for the last time, in bytes. */
  memory: () => { now: number; peak: number }
  /** Lets the service deliver. */
  resume: () => void
  stop: () => Promise<void>
}

const start = (file: string, directory: string): ChildProcess =>
  fork(join(import.meta.dirname, file), [directory], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

/** Also sets this process's environment: what is imported from `lib` after it reaches the same emulators. */
export async function startWebhookHarness(directory: string): Promise<WebhookHarness> {
  const service = start('service.ts', directory)
  const { endpoints } = await firstMessage<Extract<ServiceMessage, { endpoints: object }>>(service)
  Object.assign(process.env, localEnvironment(endpoints, { platformUrls: {} }))
  let rss = { now: 0, peak: 0 }
  service.on('message', (message: ServiceMessage) => {
    if ('rssBytes' in message) rss = { now: message.rssBytes, peak: Math.max(rss.peak, message.rssBytes) }
  })
  const order = (one: ServiceCommand) => void service.send(one)

  const receivers = new Worker(new URL('./receivers.ts', import.meta.url))
  const ask = async <Answer>(question: ReceiverQuery): Promise<Answer> => {
    receivers.postMessage(question)
    const [answer] = await once(receivers, 'message')
    return answer
  }
  return {
    receivers: await ask<string>({ ask: 'address' }),
    arrivals: () => ask<Arrival[]>({ ask: 'arrivals' }),
    hostile: (count) => ask<string[]>({ ask: 'hostile', count }),
    held: () => ask<ReceiverConnections>({ ask: 'held' }),
    memory: () => {
      const seen = rss
      rss = { now: rss.now, peak: rss.now }
      return seen
    },
    resume: () => order('resume'),
    stop: async () => {
      const ended = once(service, 'exit')
      order('stop')
      await Promise.all([ended, receivers.terminate()])
    },
  }
}

/** The most that the emulators do, measured while nothing else runs. */
export async function measureCeiling(directory: string): Promise<Ceiling> {
  const child = start('ceiling.ts', directory)
  const ended = once(child, 'exit')
  const ceiling = await firstMessage<Ceiling>(child)
  await ended
  return ceiling
}

async function firstMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.at(-2)} ended with ${code} before it said anything.`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}
