// Runs one execution on the engine, from its start or from the state in which an earlier process was killed.

import { setImmediate as immediate } from 'node:timers/promises'
import {
  ExecutionAbortedError,
  ExecutionTimeoutError,
  StateMachine,
  type StateMachineDefinition,
} from 'aws-local-stepfunctions'
import type { Log } from '../../log.ts'
import { type Definition, type TaskState, taskStates } from './definition.ts'
import type { Execution, ExecutionResult, ExecutionStore } from './execution-store.ts'
import { rejectOnAbort, runTask, type TaskRunners, uncatchableError } from './run-task.ts'
import type { TaskTokens } from './task-tokens.ts'

export interface RunningExecution {
  /** Stops without a result: the execution stays RUNNING in the store and resumes at the next start. */
  stop(): Promise<void>
}

interface ExecutionDeps {
  readonly executions: ExecutionStore
  readonly work: TaskRunners
  readonly tokens: TaskTokens
  readonly log: Log
  /** Called once the result is stored; never before `runExecution` has returned. */
  readonly onEnd: () => void
}

type Json = Parameters<StateMachine['run']>[0]

// Its output is the saved input, so that $$.Execution.Input remains the input of the execution.
const RESUME = 'Resume after a restart'

const TIMEOUT = new Error('The task timed out.')

export function runExecution(execution: Execution, definition: Definition, context: ExecutionDeps): RunningExecution {
  const { executions } = context
  const { arn } = execution
  const stopped = new AbortController()
  const tasks = openTasks(definition, stopped.signal, context)
  const end = (outcome: ExecutionResult): void => {
    if (stopped.signal.aborted) return
    executions.finish(arn, outcome)
    stopped.abort(uncatchableError('States.Aborted', 'The execution has ended.'))
    context.onEnd()
  }

  const toRun = definitionFrom(execution, definition)
  if (!toRun) {
    queueMicrotask(() => end({ status: 'TIMED_OUT', error: 'States.Timeout' }))
    return { stop: async () => stopped.abort() }
  }
  const machine = new StateMachine(toRun as unknown as StateMachineDefinition, {
    validationOptions: { noValidate: true },
  })
  const running = machine.run(JSON.parse(execution.input), {
    overrides: { taskResourceLocalHandlers: tasks.handlers },
    context: {
      Execution: { Id: arn, Name: execution.name, RoleArn: 'arn:aws:iam::000000000000:role/local' },
      StateMachine: {
        Id: arn.replace(':execution:', ':stateMachine:').replace(/:[^:]+$/, ''),
        Name: execution.machine,
      },
      // A getter: the engine reads it once per evaluation, and every state needs a separate token.
      Task: {
        get Token() {
          return context.tokens.mint()
        },
      },
    },
  })

  const follow = async (): Promise<void> => {
    for await (const event of running.eventLogs) {
      if (stopped.signal.aborted) return
      const state = 'state' in event ? event.state : undefined
      executions.note(arn, event.timestamp, event.type, state?.name, 'Error' in event ? event.Error : undefined)
      if (!state || !(state.name in definition.States)) continue
      if (event.type === 'StateEntered') executions.checkpoint(arn, state.name, state.input)
      if (event.type === 'StateEntered' || event.type === 'StateRetried') tasks.allowBranches(state.name)
      if (event.type === 'StateFailed' && state.type !== 'Task') tasks.abortBranches(state.name)
    }
  }
  const followed = follow().catch((error) => context.log(`following ${arn} failed`, error))
  running.result.then(
    (output) => end({ status: 'SUCCEEDED', output: JSON.stringify(output) }),
    (error) => end(resultOf(error)),
  )
  return {
    stop: async () => {
      stopped.abort(uncatchableError('States.Aborted', 'The execution was stopped.'))
      running.abort()
      await Promise.all([followed, tasks.settled()])
    },
  }
}

/** The remaining definition to run, or undefined if the execution has timed out. */
function definitionFrom(execution: Execution, definition: Definition): Definition | undefined {
  if (execution.state === null || execution.stateInput === null) return definition
  const left = (definition.TimeoutSeconds ?? Number.POSITIVE_INFINITY) - (Date.now() / 1000 - execution.startedAt)
  if (left <= 0) return undefined
  return {
    ...definition,
    ...(Number.isFinite(left) && { TimeoutSeconds: left }),
    StartAt: RESUME,
    States: {
      ...definition.States,
      [RESUME]: { Type: 'Pass', Result: JSON.parse(execution.stateInput), Next: execution.state },
    },
  }
}

function resultOf(error: Error): ExecutionResult {
  if (error instanceof ExecutionAbortedError) return { status: 'ABORTED' }
  if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' }
  const reason = error.cause instanceof Error ? error.cause : error
  return { status: 'FAILED', error: reason.name, cause: reason.message }
}

/** The handlers of the engine, one for each Task state, and their tasks in flight. */
function openTasks(definition: Definition, stopped: AbortSignal, context: ExecutionDeps) {
  const inFlight = new Map<Promise<unknown>, { topLevel: string; abort: AbortController }>()
  const dropped = new Set<string>()

  const handle = (task: TaskState) => async (parameters: Json) => {
    // Waits one turn of the event loop, in which the checkpoint is written and a sibling's failure is noticed: work started before its
    // checkpoint would, after a kill, restart from the previous state.
    await immediate()
    if (dropped.has(task.topLevel)) throw uncatchableError('States.Aborted', 'A sibling of this branch has failed.')
    const abort = new AbortController()
    const signal = AbortSignal.any([stopped, abort.signal])
    const seconds = task.state.TimeoutSeconds ?? 0
    const timer = setTimeout(() => abort.abort(TIMEOUT), seconds * 1000)
    const working = runTask(task.state, parameters, signal, context).finally(() => {
      clearTimeout(timer)
      inFlight.delete(working)
    })
    inFlight.set(working, { topLevel: task.topLevel, abort })
    try {
      // For the engine an aborted task ends at once; its process may use its grace period.
      return (await Promise.race([working, rejectOnAbort(signal)])) as Json
    } catch (error) {
      // The timer of the engine, set to the same time, reports States.Timeout, which an error thrown here cannot.
      if (error === TIMEOUT) return new Promise<never>(() => {})
      throw error
    }
  }

  return {
    handlers: Object.fromEntries([...taskStates(definition)].map(([name, task]) => [name, handle(task)])),
    /**
     * AWS ends the branches of a Map or Parallel that failed; the engine lets their tasks run and even starts the items still
     * waiting. None of those is begun before the state itself is entered or tried again.
     */
    abortBranches: (topLevel: string): void => {
      for (const task of inFlight.values()) {
        if (task.topLevel === topLevel)
          task.abort.abort(uncatchableError('States.Aborted', 'A sibling branch has failed.'))
      }
      dropped.add(topLevel)
    },
    allowBranches: (topLevel: string): void => {
      dropped.delete(topLevel)
    },
    settled: () => Promise.allSettled(inFlight.keys()),
  }
}
