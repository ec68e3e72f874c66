// Adapts a state machine's definition to the local engine (aws-local-stepfunctions 3.0.0). Where the engine differs from AWS, the
// definition is either fixed here or rejected, so that no machine silently behaves differently.

export interface State {
  readonly Type: string
  readonly Resource?: string
  readonly TimeoutSeconds?: number
  readonly HeartbeatSeconds?: number
  readonly Seconds?: number
  readonly ResultPath?: string | null
  readonly Retry?: readonly Retrier[]
  readonly Parameters?: Readonly<Record<string, unknown>>
  readonly Branches?: readonly Definition[]
  readonly ItemProcessor?: Definition
  readonly [field: string]: unknown
}

interface Retrier {
  readonly IntervalSeconds?: number
  readonly MaxDelaySeconds?: number
  readonly [field: string]: unknown
}

export interface Definition {
  readonly StartAt: string
  readonly States: Readonly<Record<string, State>>
  readonly TimeoutSeconds?: number
  readonly [field: string]: unknown
}

/** A Task state and its top-level state: itself, or the Map or Parallel that contains it. */
export interface TaskState {
  readonly state: State
  readonly topLevel: string
}

const SUPPORTED_RESOURCE =
  /^arn:aws:states:::(lambda:invoke(\.waitForTaskToken)?|ecs:runTask\.(sync|waitForTaskToken))$/

// setTimeout fires immediately above 2^31 ms. The default timeout of a Task is 60 s in the engine and 99,999,999 s in AWS.
const SECONDS_MAX = 2_000_000

/**
 * The definition to run; Wait Seconds and the intervals of Retry are divided by `timeScale` (time-outs are not, nor are
 * SecondsPath and Timestamp). Throws an error that lists all features that the local engine does not support.
 */
export function adaptDefinition(name: string, definition: Definition, timeScale: number): Definition {
  const found = [...unsupportedFeatures(definition, false)]
  if (found.length > 0) throw new Error(`State machine ${name} cannot run locally: ${found.join('; ')}`)
  return adapt(definition, timeScale)
}

/** Every Task state by name, at any depth: names are unique within a machine. */
export function taskStates(definition: Definition, topLevel?: string): Map<string, TaskState> {
  const tasks = new Map<string, TaskState>()
  for (const [name, state] of Object.entries(definition.States)) {
    const ancestor = topLevel ?? name
    if (state.Type === 'Task') tasks.set(name, { state, topLevel: ancestor })
    for (const inner of nested(state)) for (const entry of taskStates(inner, ancestor)) tasks.set(...entry)
  }
  return tasks
}

function nested(state: State): readonly Definition[] {
  return [...(state.Branches ?? []), ...(state.ItemProcessor ? [state.ItemProcessor] : [])]
}

function* unsupportedFeatures(definition: Definition, isNested: boolean): Generator<string> {
  if (definition.QueryLanguage === 'JSONata') yield 'JSONata is not evaluated by the local engine, use JSONPath'
  for (const [name, state] of Object.entries(definition.States)) {
    const { Branches, ItemProcessor, ...own } = withoutCapacityProviders(state)
    const text = JSON.stringify(own)
    if (state.QueryLanguage === 'JSONata') yield `${name}: JSONata is not evaluated by the local engine, use JSONPath`
    if ('Assign' in state) yield `${name}: variables (Assign) are not known to the local engine`
    if ('Iterator' in state) yield `${name}: write ItemProcessor, not Iterator`
    if ('ItemReader' in state || ItemProcessor?.ProcessorConfig) yield `${name}: a distributed Map would run inline`
    if ('TimeoutSecondsPath' in state || 'HeartbeatSecondsPath' in state)
      yield `${name}: only constant time-outs end a task`
    if (text.includes('$$.State.')) yield `${name}: $$.State is not known to the local engine`
    if (isNested && /\$\$\.Execution\.(Input|StartTime)/.test(text)) {
      yield `${name}: within a Map or Parallel $$.Execution.Input and StartTime are those of the branch, pass them in`
    }
    if (state.Type === 'Task' && !SUPPORTED_RESOURCE.test(state.Resource ?? ''))
      yield `${name}: no local ${state.Resource}`
    for (const inner of nested(state)) yield* unsupportedFeatures(inner, true)
  }
}

function adapt(definition: Definition, timeScale: number): Definition {
  return {
    ...definition,
    ...(definition.TimeoutSeconds !== undefined && {
      TimeoutSeconds: Math.min(definition.TimeoutSeconds, SECONDS_MAX),
    }),
    States: Object.fromEntries(
      Object.entries(definition.States).map(([name, state]) => [name, adaptState(state, timeScale)]),
    ),
  }
}

/** A child process needs no capacity. They depend on the number of retries, which the local engine does not know. */
function withoutCapacityProviders({ Parameters, ...state }: State): State {
  if (Parameters === undefined) return state
  const { CapacityProviderStrategy: _, ...parameters } = Parameters
  return { ...state, Parameters: parameters }
}

function adaptState(given: State, timeScale: number): State {
  const { ResultPath, ...state } = withoutCapacityProviders(given)
  return {
    ...state,
    // The engine reads `$` as a field name; omitting it has the same meaning.
    ...(ResultPath !== undefined && ResultPath !== '$' && { ResultPath }),
    ...(state.Type === 'Task' && { TimeoutSeconds: Math.min(state.TimeoutSeconds ?? SECONDS_MAX, SECONDS_MAX) }),
    ...(state.Seconds !== undefined && { Seconds: state.Seconds / timeScale }),
    ...(state.Retry && { Retry: state.Retry.map((retrier) => adaptRetrier(retrier, timeScale)) }),
    ...(state.Branches && { Branches: state.Branches.map((branch) => adapt(branch, timeScale)) }),
    ...(state.ItemProcessor && { ItemProcessor: adapt(state.ItemProcessor, timeScale) }),
  }
}

// Without jitter, which can result in no wait: a failed attempt must have ended completely before the next starts.
function adaptRetrier({ JitterStrategy: _, ...retrier }: Retrier, timeScale: number): Retrier {
  return {
    ...retrier,
    IntervalSeconds: Math.max((retrier.IntervalSeconds ?? 1) / timeScale, 0.02),
    ...(retrier.MaxDelaySeconds !== undefined && {
      MaxDelaySeconds: Math.max(retrier.MaxDelaySeconds / timeScale, 0.02),
    }),
  }
}
