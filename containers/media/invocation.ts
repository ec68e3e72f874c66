/** One invocation of the media container as a Lambda function. Whatever fails here, the state machine handles. */
import * as v from 'valibot'
import { isCommand, runCommand } from './commands.ts'

const eventSchema = v.object({
  command: v.pipe(
    v.array(v.string()),
    v.check((command) => isCommand(command), 'is no command of the container'),
  ),
  /** Of a state that allows less time than the function: the function must end first. */
  timeoutSeconds: v.optional(v.number(), Number.POSITIVE_INFINITY),
  /** Of commands that may wait for a vendor: when the execution started, and how long after that an order may be pending. */
  startedAt: v.optional(v.string()),
  pendingSecondsMax: v.optional(v.number(), 0),
})

/** Times in milliseconds since 1970. */
export interface Invocation {
  command: string[]
  endsAt: number
  /** Until then a pending order is polled by another invocation; afterwards it is a failure. */
  pendingUntil: number
}

/** Left of the time limit for what observes the abort. */
const abortMs = 10_000
/** An invocation polls an order no longer than this: the state machine waits for less. */
const orderWaitMs = 5_000

/** A failure under the name that the state machines match. */
export class InvocationFailure extends Error {
  constructor(errorType: string, message: string) {
    super(message)
    this.name = errorType
  }
}

/** Reads an event. `functionEndsAt`: when Lambda ends the invocation. */
export function parseInvocation(event: unknown, functionEndsAt: number): Invocation {
  const { command, timeoutSeconds, startedAt, pendingSecondsMax } = v.parse(eventSchema, event)
  return {
    command,
    endsAt: Math.min(functionEndsAt, Date.now() + timeoutSeconds * 1_000),
    pendingUntil: startedAt === undefined ? 0 : Date.parse(startedAt) + pendingSecondsMax * 1_000,
  }
}

/** Runs a command. @throws InvocationFailure unless the command is done, or an order is pending that may be. */
export async function runInvocation({
  command,
  endsAt,
  pendingUntil,
}: Invocation): Promise<{ outcome: 'done' | 'pending'; result?: unknown }> {
  const signal = AbortSignal.timeout(Math.max(endsAt - abortMs - Date.now(), 0))
  const { outcome, ...found } = await runCommand(command, { signal, orderWaitMs })
  if (outcome === 'done') return { outcome, ...found }
  if (signal.aborted) throw new InvocationFailure('DeadlineReached', 'The work did not fit the time limit.')
  if (outcome === 'failed') throw new InvocationFailure('TryAgain', 'The command failed; its log says why.')
  if (outcome === 'busy') throw new InvocationFailure('ProviderBusy', 'A vendor stayed busy through all retries.')
  if (Date.now() < pendingUntil) return { outcome }
  throw new InvocationFailure('OrderPending', 'A vendor still processes an order.')
}
