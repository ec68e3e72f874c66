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
  /** When the execution started, of states that wait for vendors. */
  startedAt: v.optional(v.string()),
})

export interface Invocation {
  command: string[]
  /** Milliseconds since 1970. */
  endsAt: number
  startedAt: string | undefined
}

/** Left of the time limit for what observes the abort. */
const abortMs = 10_000

/** A failure under the name that the state machines match. */
export class InvocationFailure extends Error {
  constructor(errorType: string, message: string) {
    super(message)
    this.name = errorType
  }
}

/** Reads an event. `functionEndsAt`: when Lambda ends the invocation. */
export function parseInvocation(event: unknown, functionEndsAt: number): Invocation {
  const { command, timeoutSeconds, startedAt } = v.parse(eventSchema, event)
  return {
    command,
    endsAt: Math.min(functionEndsAt, Date.now() + timeoutSeconds * 1_000),
    startedAt,
  }
}

/** Runs a command. @throws InvocationFailure unless the command is done, or an order is pending. */
export async function runInvocation({
  command,
  endsAt,
  startedAt,
}: Invocation): Promise<{ outcome: 'done' | 'pending'; result?: unknown }> {
  const signal = AbortSignal.timeout(Math.max(endsAt - abortMs - Date.now(), 0))
  const { outcome, ...found } = await runCommand(command, { signal, startedAt })
  if (outcome === 'done' || outcome === 'pending') return { outcome, ...found }
  if (signal.aborted) throw new InvocationFailure('DeadlineReached', 'The work did not fit the time limit.')
  if (outcome === 'failed') throw new InvocationFailure('TryAgain', 'The command failed; its log says why.')
  throw new InvocationFailure('ProviderBusy', 'A vendor stayed busy through all retries.')
}
