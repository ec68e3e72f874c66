// The work of a Task state: a Lambda function called in this process, or an ECS task run as a child process.

import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import { type Exit, startChild } from '../../processes.ts'
import { namedError } from '../named-error.ts'
import type { State } from './definition.ts'
import type { TaskTokens } from './task-tokens.ts'

export interface TaskCommand {
  /** The program and its first arguments; the Command of the container override comes after them. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Receives each line that the task prints. */
  readonly onLine?: (line: string) => void
}

export interface TaskRunners {
  /** Invokes a function by the name or ARN in the parameters of the state and returns its result as JSON. */
  readonly invoke: (functionName: string, payload: unknown) => Promise<unknown>
  /** The command for an ECS task definition. */
  readonly command: (taskDefinition: string) => TaskCommand
  /** Decides when a task of this container command runs. Default: at once. */
  readonly schedule?: <Result>(command: readonly string[], run: () => Promise<Result>) => Promise<Result>
}

interface LambdaParameters {
  readonly FunctionName: string
  readonly Payload?: unknown
}

interface RunTaskParameters {
  readonly TaskDefinition: string
  readonly Overrides?: {
    readonly ContainerOverrides?: readonly {
      readonly Name?: string
      readonly Command?: readonly string[]
      readonly Environment?: readonly { readonly Name: string; readonly Value: string }[]
    }[]
  }
}

// https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
const STATE_BYTES_MAX = 262_144

/** Runs a Task state with its processed parameters. An abort kills a child process; a function continues with its result discarded. */
export async function runTask(
  state: State,
  parameters: unknown,
  signal: AbortSignal,
  { work, tokens }: { work: TaskRunners; tokens: TaskTokens },
): Promise<unknown> {
  const resource = state.Resource ?? ''
  const start = () =>
    resource.includes(':lambda:')
      ? callFunction(parameters as LambdaParameters, signal, work)
      : runContainer(parameters as RunTaskParameters, signal, work)
  if (!resource.endsWith('.waitForTaskToken')) return withinLimit(await start())
  // The token may be used before the call that passes it on has returned, so waiting starts first.
  const answer = tokens.wait(parameters, state.HeartbeatSeconds, signal)
  const [output] = await Promise.all([answer, start()])
  return withinLimit(output)
}

async function callFunction(parameters: LambdaParameters, signal: AbortSignal, work: TaskRunners): Promise<unknown> {
  const { FunctionName, Payload = {} } = parameters
  try {
    const result = await Promise.race([work.invoke(FunctionName, Payload), rejectOnAbort(signal)])
    return { ExecutedVersion: '$LATEST', StatusCode: 200, Payload: result ?? null }
  } catch (thrown) {
    signal.throwIfAborted()
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const trace = (error.stack ?? '').split('\n')
    throw namedError(error.name, JSON.stringify({ errorType: error.name, errorMessage: error.message, trace }))
  }
}

/** Rejects with the reason of the abort. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

async function runContainer(parameters: RunTaskParameters, signal: AbortSignal, work: TaskRunners): Promise<unknown> {
  const { TaskDefinition } = parameters
  const override = parameters.Overrides?.ContainerOverrides?.[0] ?? {}
  const { command, env, onLine } = work.command(TaskDefinition)
  const containerCommand = override.Command ?? []
  const runToEnd = async (): Promise<Exit> => {
    signal.throwIfAborted()
    const child = startChild([...command, ...containerCommand], {
      env: { ...env, ...Object.fromEntries((override.Environment ?? []).map(({ Name, Value }) => [Name, Value])) },
      ...(onLine && { onLine }),
      isBackground: true,
    })
    const stop = () => void child.stop()
    signal.addEventListener('abort', stop, { once: true })
    const exit = await child.exited
    signal.removeEventListener('abort', stop)
    return exit
  }
  const exit = await (work.schedule ? work.schedule(containerCommand, runToEnd) : runToEnd())
  signal.throwIfAborted()

  const exitCode = exitCodeOf(exit)
  const task = {
    TaskArn: `arn:aws:ecs:us-east-1:000000000000:task/local/${randomUUID()}`,
    TaskDefinitionArn: TaskDefinition,
    Containers: [{ Name: override.Name ?? 'main', ExitCode: exitCode, LastStatus: 'STOPPED' }],
    LastStatus: 'STOPPED',
    StopCode: 'EssentialContainerExited',
    StoppedReason: 'Essential container in task exited',
  }
  if (exitCode !== 0) throw namedError('States.TaskFailed', JSON.stringify(task))
  return task
}

function exitCodeOf({ code, signal }: Exit): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0)
}

function withinLimit(output: unknown): unknown {
  if (Buffer.byteLength(JSON.stringify(output ?? null)) <= STATE_BYTES_MAX) return output
  throw uncatchableError('States.DataLimitExceeded', `The output of a state is limited to ${STATE_BYTES_MAX} bytes.`)
}

/** An error that `States.ALL` does not match. The engine reads these two fields. */
export function uncatchableError(name: string, message: string): Error {
  return Object.assign(namedError(name, message), { isRetryable: false, isCatchable: false })
}
