/** SQS in memory: messages that come late, twice, out of order and in batches of any size. */
import { PortFailure } from './failure.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { Schedule } from './schedule.ts'

interface QueueDeps {
  schedule: Schedule
  random: Random
  faults: Faults
  /** How many entries of a batch are done. */
  partOf: (entries: number) => number
  /** Calls a function by its name. */
  invoke: (name: string, event: unknown, timeoutMs: number) => Promise<unknown>
}

interface Message {
  id: number
  queue: string
  body: string
  visibleAt: number
  receives: number
  isDone: boolean
}

interface SendBatch {
  QueueUrl: string
  Entries: { Id: string; MessageBody: string }[]
}

const visibilityMs = 180_000
const receivesMax = 5
const messagesPerBatch = 10

export function createQueue({ schedule, random, faults, partOf, invoke }: QueueDeps) {
  const messages = new Set<Message>()
  let messageIds = 0

  function enqueue(
    queue: string,
    { MessageBody, DelaySeconds = 0 }: { MessageBody: string; DelaySeconds?: number },
  ): void {
    if (DelaySeconds > 900) throw new PortFailure('InvalidParameterValue', 'DelaySeconds is at most 900.')
    const message = {
      id: ++messageIds,
      queue,
      body: MessageBody,
      visibleAt: schedule.now() + DelaySeconds * 1000,
      receives: 0,
      isDone: false,
    }
    messages.add(message)
    receiveAt(message, message.visibleAt)
  }

  const receiveAt = (message: Message, at: number) =>
    schedule.at(at + random.longTailed(5, 1_000), () => void receive(message))

  async function receive(first: Message): Promise<void> {
    if (first.isDone || first.visibleAt > schedule.now()) return
    const visible = [...messages].filter(
      (one) => one !== first && one.queue === first.queue && one.visibleAt <= schedule.now(),
    )
    const batch = [first, ...random.shuffled(visible).slice(0, random.integer(0, messagesPerBatch - 1))]
    for (const message of batch) {
      message.receives++
      // A message may be delivered again while another worker has it.
      message.visibleAt =
        schedule.now() + (faults.happens('duplicateMessage') ? random.integer(0, 12_000) : visibilityMs)
      receiveAt(message, message.visibleAt)
    }
    const event = { Records: random.shuffled(batch).map(({ id, body }) => ({ messageId: String(id), body })) }
    const result = (await invoke('workers/deliver-webhook', event, 30_000).catch(() => undefined)) as
      | { batchItemFailures: { itemIdentifier: string }[] }
      | undefined
    const failed = new Set(result?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    for (const message of batch) {
      const isHandled = result !== undefined && !failed.has(String(message.id))
      if (!isHandled && message.receives < receivesMax) continue
      message.isDone = true
      messages.delete(message)
    }
  }

  return {
    operations: {
      SendMessageBatch({ QueueUrl, Entries }: SendBatch) {
        const done = Entries.slice(0, partOf(Entries.length))
        for (const entry of done) enqueue(QueueUrl, entry)
        const Failed = Entries.slice(done.length).map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' }))
        return Failed.length > 0 ? { Failed } : {}
      },
    },
    isIdle: () => messages.size === 0,
    get sent() {
      return messageIds
    },
  }
}
