/**
 * Step Functions in memory: runs the definitions of `state-machines/` in virtual time. Executions have names that are
 * never used twice; a task may time out, and an execution may be lost half-way.
 */
import type { Definition, State } from '../../../local/emulators/step-functions/definition.ts'
import { PortFailure } from './failure.ts'

type Json = Record<string, unknown>

export interface EngineDeps {
  now: () => number
  sleep: (ms: number) => Promise<void>
  random: () => number
  /** Calls a function by its name. */
  invoke: (name: string, payload: unknown, timeoutMs: number) => Promise<unknown>
  /** Runs a command of the container as a task; the exit code. */
  runTask: (command: readonly string[], timeoutMs: number) => Promise<number>
  /** Whether to end an execution without a trace. */
  isLost: () => boolean
}

interface Execution {
  arn: string
  machine: string
  input: string
  startedAt: number
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT'
}

class StateError extends Error {
  readonly cause_: string

  constructor(name: string, cause = '') {
    super(cause)
    this.name = name
    this.cause_ = cause
  }
}

/** Ends the interpretation of an execution that is no longer running. */
class Ended extends Error {}

export type Engine = ReturnType<typeof createEngine>

export function createEngine(machines: Readonly<Record<string, Definition>>, deps: EngineDeps) {
  const executions = new Map<string, Execution>()

  async function run(execution: Execution): Promise<void> {
    const definition = machines[execution.machine]!
    const endsAt = execution.startedAt + (definition.TimeoutSeconds ?? 1e9) * 1000
    try {
      await runStates(definition, JSON.parse(execution.input), { execution, endsAt })
      if (execution.status === 'RUNNING') execution.status = 'SUCCEEDED'
    } catch (error) {
      if (error instanceof Ended) return
      // Anything else is a defect of this engine, which must not pass for a failed execution.
      if (!(error instanceof StateError)) throw error
      if (execution.status === 'RUNNING') execution.status = 'FAILED'
    }
  }

  interface Run {
    execution: Execution
    endsAt: number
  }

  function check({ execution, endsAt }: Run): void {
    if (execution.status === 'RUNNING' && deps.now() >= endsAt) execution.status = 'TIMED_OUT'
    if (execution.status === 'RUNNING' && deps.isLost()) execution.status = 'ABORTED'
    if (execution.status !== 'RUNNING') throw new Ended()
  }

  async function runStates(definition: Definition, input: unknown, run: Run): Promise<unknown> {
    let [name, data] = [definition.StartAt, input]
    for (;;) {
      check(run)
      const state = definition.States[name]!
      if (state.Type === 'Fail') throw new StateError(String(state.Error), String(state.Cause))
      if (state.Type === 'Succeed') return data
      if (state.Type === 'Choice') {
        name = choose(state, data as Json)
        continue
      }
      try {
        data = await runWithRetries(state, data as Json, run)
      } catch (error) {
        if (!(error instanceof StateError)) throw error
        const catcher = (
          state.Catch as { ErrorEquals: string[]; Next: string; ResultPath?: string | null }[] | undefined
        )?.find(({ ErrorEquals }) => matches(ErrorEquals, error.name))
        if (!catcher) throw error
        data = place(data as Json, catcher.ResultPath, { Error: error.name, Cause: error.cause_ })
        name = catcher.Next
        continue
      }
      if (state.End) return data
      name = String(state.Next)
    }
  }

  async function runWithRetries(state: State, data: Json, run: Run): Promise<unknown> {
    const attempts = new Map<unknown, number>()
    for (;;) {
      try {
        return await runState(state, data, run)
      } catch (error) {
        if (!(error instanceof StateError)) throw error
        const retrier = state.Retry?.find(({ ErrorEquals }) => matches(ErrorEquals as string[], error.name))
        const made = attempts.get(retrier) ?? 0
        if (!retrier || made >= Number(retrier.MaxAttempts ?? 3)) throw error
        attempts.set(retrier, made + 1)
        const seconds = Number(retrier.IntervalSeconds ?? 1) * Number(retrier.BackoffRate ?? 2) ** made
        const pause = Math.min(seconds, Number(retrier.MaxDelaySeconds ?? 1e6))
        await deps.sleep(pause * 1000 * (retrier.JitterStrategy === 'FULL' ? deps.random() : 1))
        check(run)
      }
    }
  }

  async function runState(state: State, data: Json, run: Run): Promise<unknown> {
    if (state.Type === 'Wait') {
      await deps.sleep(Number(state.Seconds ?? read(data, String(state.SecondsPath))) * 1000)
      return data
    }
    if (state.Type === 'Pass') return place(data, state.ResultPath, state.Result ?? data)
    const raw = state.Type === 'Map' ? await runMap(state, data, run) : await runTask(state, data, run)
    const result = state.ResultSelector ? fill(state.ResultSelector as Json, raw as Json, run) : raw
    return place(data, state.ResultPath, result)
  }

  /** The first failed item fails the map; the others are no longer waited for. */
  async function runMap(state: State, data: Json, run: Run): Promise<unknown[]> {
    const items = read(data, String(state.ItemsPath)) as unknown[]
    const results: unknown[] = []
    let next = 0
    const worker = async () => {
      while (next < items.length) {
        const index = next++
        results[index] = await runStates(state.ItemProcessor!, items[index], run)
      }
    }
    await Promise.all(Array.from({ length: Math.min(Number(state.MaxConcurrency ?? 40), items.length) }, worker))
    return results
  }

  async function runTask(state: State, data: Json, run: Run): Promise<unknown> {
    // Tasks need no capacity here.
    const { CapacityProviderStrategy: _, ...template } = state.Parameters as Json
    const parameters = fill(template, data, run)
    const timeoutMs = Number(state.TimeoutSeconds ?? 60) * 1000
    if (state.Resource!.includes(':lambda:')) {
      try {
        const payload = await deps.invoke(String(parameters.FunctionName), parameters.Payload ?? {}, timeoutMs)
        return { Payload: payload ?? null }
      } catch (error) {
        const { name, message } = error as Error
        throw new StateError(name, JSON.stringify({ errorType: name, errorMessage: message }))
      }
    }
    const { ContainerOverrides } = parameters.Overrides as { ContainerOverrides: { Command: string[] }[] }
    const code = await deps.runTask(ContainerOverrides[0]!.Command, timeoutMs).catch((error: Error) => {
      throw new StateError(error.name === 'Crashed' ? 'States.TaskFailed' : error.name, '{}')
    })
    if (code !== 0) throw new StateError('States.TaskFailed', JSON.stringify({ Containers: [{ ExitCode: code }] }))
    return {}
  }

  /** Fills in the paths of a template. */
  function fill(template: Json, data: Json, run: Run): Json {
    return Object.fromEntries(
      Object.entries(template).map(([name, value]) => {
        if (name.endsWith('.$')) return [name.slice(0, -2), evaluate(String(value), data, run)]
        if (Array.isArray(value)) return [name, value.map((one) => (isJson(one) ? fill(one, data, run) : one))]
        return [name, isJson(value) ? fill(value, data, run) : value]
      }),
    )
  }

  function evaluate(text: string, data: Json, { execution }: Run): unknown {
    if (text === '$$.Execution.StartTime') return new Date(execution.startedAt).toISOString()
    const [, intrinsic, parts] = /^States\.(\w+)\((.*)\)$/.exec(text) ?? []
    if (!intrinsic) return read(data, text)
    const values = parts!.split(', ').map((part) => {
      if (part.startsWith("'")) return part.slice(1, -1)
      if (part === 'true') return true
      const [, list, field] = /^\$\[\*\]\.(\w+)$/.exec(part) ? [part, true, part.slice(5)] : []
      return list ? (data as unknown as Json[]).map((item) => item[String(field)]) : read(data, part)
    })
    if (intrinsic === 'Array') return values
    if (intrinsic === 'ArrayContains') return (values[0] as unknown[]).includes(values[1])
    throw new Error(`The simulator does not know States.${intrinsic}.`)
  }

  const find = (arn: string): Execution => {
    const found = executions.get(arn)
    if (!found) throw new PortFailure('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
    return found
  }

  return {
    operations: {
      StartExecution({ stateMachineArn, name, input }: { stateMachineArn: string; name: string; input: string }) {
        const machine = stateMachineArn.split(':').at(-1)!
        const arn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`
        const earlier = executions.get(arn)
        if (earlier && (earlier.status !== 'RUNNING' || earlier.input !== input))
          throw new PortFailure('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`)
        if (earlier) return { executionArn: arn }
        const execution: Execution = { arn, machine, input, startedAt: deps.now(), status: 'RUNNING' }
        executions.set(arn, execution)
        void run(execution)
        return { executionArn: arn }
      },
      StopExecution({ executionArn }: { executionArn: string }) {
        const execution = find(executionArn)
        if (execution.status === 'RUNNING') execution.status = 'ABORTED'
        return {}
      },
      DescribeExecution: ({ executionArn }: { executionArn: string }) => ({ status: find(executionArn).status }),
    },
    executions: () => [...executions.values()],
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `States.ALL` matches every error. */
const matches = (names: readonly string[], name: string) =>
  names.includes(name) ||
  names.includes('States.ALL') ||
  (names.includes('States.TaskFailed') && name !== 'States.Timeout')

function read(data: unknown, path: string): unknown {
  let value = data
  for (const [, name, index] of path.slice(1).matchAll(/\.(\w+)|\[(\d+)\]/g)) {
    if (value === null || typeof value !== 'object') return undefined
    value = (value as Json)[name ?? index!]
  }
  return value
}

/** The state's input with its result at a path: `null` drops the result, without one it replaces the input. */
function place(data: Json, path: unknown, result: unknown): unknown {
  if (path === null) return data
  if (path === undefined || path === '$') return result
  return { ...data, [String(path).slice(2)]: result }
}

type Rule = { And?: Rule[]; Variable?: string; [operator: string]: unknown }

function choose({ Choices, Default }: State, data: Json): string {
  const found = (Choices as (Rule & { Next: string })[]).find((rule) => isTrue(rule, data))
  return found?.Next ?? String(Default)
}

function isTrue(rule: Rule, data: Json): boolean {
  if (rule.And) return rule.And.every((part) => isTrue(part, data))
  const value = read(data, rule.Variable!)
  if ('StringEquals' in rule) return value === rule.StringEquals
  if ('BooleanEquals' in rule) return value === rule.BooleanEquals
  if ('NumericGreaterThan' in rule) return Number(value) > Number(rule.NumericGreaterThan)
  if ('IsPresent' in rule) return (value !== undefined) === rule.IsPresent
  throw new Error(`The simulator cannot decide ${JSON.stringify(rule)}`)
}
