import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import validate from 'asl-validator'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'
import { mediaColdStartSeconds, mediaFunctionSeconds } from '../../lib/infra/constructs/media-function.ts'
import { stateNameOf } from '../../lib/infra/constructs/pipeline-state-machine.ts'
import { pipelineNames } from '../../lib/infra/deployment-context.ts'
import { orderPatienceSeconds } from '../../lib/pipelines/order-patience.ts'
import { bundledTexts } from './bundled-texts.ts'

interface Definition {
  StartAt: string
  TimeoutSeconds?: number
  States: Record<string, State>
}

interface Retrier {
  ErrorEquals: string[]
  IntervalSeconds: number
  MaxAttempts: number
  MaxDelaySeconds?: number
  JitterStrategy?: string
}

interface CapacityProvider {
  'CapacityProvider.$': string
}

interface Overrides {
  ContainerOverrides: { 'Command.$': string; Environment?: object[] }[]
}

interface Payload {
  'command.$'?: string
  timeoutSeconds?: number
  'startedAt.$'?: string
}

interface State {
  Type: string
  Comment?: string
  Next?: string
  Default?: string
  Choices?: { Next: string }[]
  TimeoutSeconds?: number
  Resource?: string
  Parameters?: {
    FunctionName?: string
    Payload?: Payload
    CapacityProviderStrategy?: CapacityProvider[]
    Overrides?: Overrides
  }
  Retry?: Retrier[]
  Catch?: { ErrorEquals: string[]; Next: string }[]
  ItemProcessor?: Definition
}

/** At any depth. */
const statesIn = ({ States }: Definition): [name: string, state: State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    [name, state],
    ...(state.ItemProcessor ? statesIn(state.ItemProcessor) : []),
  ])

/** The states that an execution of a definition can enter, at any depth. */
function reachableIn({ StartAt, States }: Definition): Set<string> {
  const reached = new Set<string>([StartAt])
  const nested = new Set<string>()
  for (const name of reached) {
    const { Next, Default, Choices = [], Catch = [], ItemProcessor } = States[name]!
    for (const next of [Next, Default, ...[...Choices, ...Catch].map((rule) => rule.Next)]) if (next) reached.add(next)
    if (ItemProcessor) for (const inner of reachableIn(ItemProcessor)) nested.add(inner)
  }
  return reached.union(nested)
}

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const namesIn = (path: string, pattern: RegExp) => Array.from(read(path).matchAll(pattern), ([, name]) => name!)

/** The names of our errors, by the worker that can throw them. A task only has an exit code. */
const errorNames = {
  step: ['Superseded', ...namesIn('lib/pipelines/step.ts', /^const \w+Name = '(\w+)'/gm)],
  media: namesIn('containers/media/invocation.ts', /new InvocationFailure\('(\w+)'/g),
  task: [],
}
const stepNames = (machine: string) =>
  globSync('*.ts', { cwd: join(repositoryRoot, 'functions/pipelines', machine) }).map((file) => basename(file, '.ts'))

const workerOf = ({ Resource, Parameters }: State): keyof typeof errorNames => {
  if (Resource !== 'arn:aws:states:::lambda:invoke') return 'task'
  return Parameters?.FunctionName === '${MediaFunction}' ? 'media' : 'step'
}

/** The file with the work of a state; undefined where the input names the command. */
function fileOf(machine: string, { Parameters }: State): string | undefined {
  const command = Parameters!.Payload?.['command.$']
  if (command) {
    const [, name] = /'([\w-]+)'/.exec(command) ?? []
    const work = new RegExp(`\\b'?${name}'?: [^}]*?import\\('\\.(/[^']+)'`, 'g')
    return name && `containers/media${namesIn('containers/media/commands.ts', work)[0]}`
  }
  const step = stepNames(machine).find((name) => `\${${stateNameOf(name)}}` === Parameters!.FunctionName)
  return `functions/pipelines/${machine}/${step}.ts`
}

/** The files among these whose code, after tree shaking, places orders at vendors with a queue. */
async function orderingFiles(files: string[]): Promise<string[]> {
  return [...(await bundledTexts(files))]
    .filter(([, text]) => text.includes('function runOrder('))
    .map(([file]) => file)
}

/** Whether the worker of a state knows for how long an order may still be pending. */
const waitsForVendors = (payload: Payload | undefined): boolean => payload?.['startedAt.$'] === '$$.Execution.StartTime'

const tooManyFunctions = 'Lambda.TooManyRequestsException'
/**
 * Transient errors of Lambda. The Fail states, which retry everything, include them in `States.ALL`.
 * https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
 */
const passingOfLambda = [
  'Lambda.AWSLambdaException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.SdkClientException',
  'Lambda.ServiceException',
  tooManyFunctions,
  'Lambda.Unknown',
]

/** The total expected retry time. With full jitter half of each wait is expected. */
function patienceOf({ IntervalSeconds, MaxAttempts, MaxDelaySeconds = Number.POSITIVE_INFINITY, ...more }: Retrier) {
  expect(more.JitterStrategy).toBe('FULL')
  const waits = Array.from({ length: MaxAttempts }, (_, at) => Math.min(IntervalSeconds * 2 ** at, MaxDelaySeconds))
  return waits.reduce((sum, wait) => sum + wait, 0) / 2
}

/** The media container, as a function and as a task; everything else is a step. */
const infrastructure = ['Cluster', 'MediaFunction', 'SecurityGroup', 'SubnetA', 'SubnetB', 'TaskDefinition']

const files = globSync('*.asl.json', { cwd: join(repositoryRoot, 'state-machines') }).map((file) =>
  basename(file, '.asl.json'),
)

it('every ASL file is deployed, under its name', () => {
  expect(files.toSorted()).toEqual([...pipelineNames].toSorted())
})

describe.each(files)('the state machine %s', (machine) => {
  const text = readFileSync(join(repositoryRoot, 'state-machines', `${machine}.asl.json`), 'utf8')
  const definition: Definition = JSON.parse(text)

  it('is valid Amazon States Language', () => {
    const { isValid, errorsText } = validate(JSON.parse(text))
    expect(isValid, errorsText('\n')).toBe(true)
  })

  it('names one function for each file of its folder', () => {
    const named = new Set(Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name]) => name!))
    const states = stepNames(machine).map(stateNameOf)
    expect([...named].filter((name) => !infrastructure.includes(name)).toSorted()).toEqual(states.toSorted())
  })

  it('can enter every state', () => {
    const names = statesIn(definition).map(([name]) => name)
    expect(names.toSorted()).toEqual([...reachableIn(definition)].toSorted())
  })

  it('retries and catches only those of our errors that the worker of the state can throw', () => {
    for (const [name, state] of statesIn(definition)) {
      const matched = [...(state.Retry ?? []), ...(state.Catch ?? [])].flatMap(({ ErrorEquals }) => ErrorEquals)
      const ours = matched.filter((error) => !error.includes('.'))
      expect(errorNames[workerOf(state)], name).toEqual(expect.arrayContaining(ours))
    }
  })

  it('waits for a vendor exactly where the code places orders at one', async () => {
    const workers = statesIn(definition).filter(([, state]) => state.Type === 'Task' && workerOf(state) !== 'task')
    const files = new Map(workers.map(([name, state]) => [name, fileOf(machine, state)]))
    const ordering = await orderingFiles([...new Set(files.values())].filter((file) => file !== undefined))
    const patient = workers.filter(([, { Parameters }]) => waitsForVendors(Parameters!.Payload))
    expect(patient.map(([name]) => files.get(name)).toSorted()).toEqual(ordering.toSorted())
  })

  it('always ends: it and all of its tasks have a time limit', () => {
    expect(definition.TimeoutSeconds).toBeGreaterThan(0)
    for (const [name, { Type, TimeoutSeconds }] of statesIn(definition)) {
      if (Type === 'Task') expect(TimeoutSeconds, name).toBeLessThan(definition.TimeoutSeconds!)
    }
  })

  it('retries and catches in every task, and every state has a comment', () => {
    for (const [name, { Type, Comment, Retry, Catch }] of statesIn(definition)) {
      expect(Comment, name).toBeTruthy()
      if (Type !== 'Task') continue
      expect(Retry?.length, name).toBeGreaterThan(0)
      expect(Catch?.length, name).toBeGreaterThan(0)
    }
  })
  it('retries the transient errors of Lambda', () => {
    for (const [name, { Resource, Retry = [] }] of statesIn(definition)) {
      const retried = Retry.flatMap(({ ErrorEquals }) => ErrorEquals)
      if (Resource !== 'arn:aws:states:::lambda:invoke' || retried.includes('States.ALL')) continue
      expect(retried, name).toEqual(expect.arrayContaining(passingOfLambda))
    }
  })
  const retriersOf = (resource: string, ...names: string[]) =>
    statesIn(definition).flatMap(([name, { Resource, Retry = [] }]) =>
      Resource === resource
        ? [[name, Retry.find(({ ErrorEquals }) => names.some((one) => ErrorEquals.includes(one)))!] as const]
        : [],
    )

  const isMedia = ([, { Parameters }]: [string, State]) => Parameters?.FunctionName === '${MediaFunction}'
  const mediaFunctions = new Map(statesIn(definition).filter(isMedia))

  it('retries for minutes if the account is at its concurrency limit', () => {
    for (const [name, retrier] of retriersOf('arn:aws:states:::lambda:invoke', tooManyFunctions, 'States.ALL'))
      if (!mediaFunctions.has(name)) expect(patienceOf(retrier), name).toBeGreaterThan(150)
  })

  // It would run on after its state failed: then the task makes, and buys, the same once more.
  it('ends every media function before its state', () => {
    for (const [name, { Parameters, TimeoutSeconds }] of mediaFunctions) {
      const seconds = Math.min(Parameters!.Payload!.timeoutSeconds ?? Number.POSITIVE_INFINITY, mediaFunctionSeconds)
      expect(seconds + mediaColdStartSeconds, name).toBeLessThanOrEqual(TimeoutSeconds!)
    }
  })

  it('has time to end the run after a media function and its task', () => {
    for (const [name, { TimeoutSeconds, Catch }] of mediaFunctions) {
      const taskSeconds = definition.States[Catch!.at(-1)!.Next]?.TimeoutSeconds ?? 0
      expect(taskSeconds + TimeoutSeconds!, name).toBeLessThan(definition.TimeoutSeconds!)
    }
  })

  it('waits for a vendor without a worker, and has time to end the run after an order that stays pending', () => {
    for (const [name, { Parameters, TimeoutSeconds, Next }] of statesIn(definition)) {
      if (!waitsForVendors(Parameters?.Payload)) continue
      const [pending] = definition.States[Next!]!.Choices!
      expect(definition.States[pending!.Next], name).toMatchObject({ Type: 'Wait', Next: name })
      expect(orderPatienceSeconds + TimeoutSeconds!, name).toBeLessThan(definition.TimeoutSeconds!)
    }
  })

  it('gives whatever a media function fails at to the task with the same command, within ten seconds of throttling', () => {
    for (const [name, { Parameters, Retry = [], Catch }] of mediaFunctions) {
      for (const { IntervalSeconds, MaxAttempts } of Retry) expect(IntervalSeconds * MaxAttempts, name).toBeLessThan(10)
      // Where one part is lost, the task renders the video. The canary compares the two.
      if (name === 'RenderPart' || name === 'Canary') continue
      const task = name.replace(/InFunction$/, '')
      expect(Catch, name).toEqual([{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: task }])
      const [override] = definition.States[task]!.Parameters!.Overrides!.ContainerOverrides
      expect(Parameters!.Payload!['command.$'], name).toBe(override!['Command.$'])
      const startedAt = { Name: 'STARTED_AT', 'Value.$': '$$.Execution.StartTime' }
      expect(override!.Environment, name).toEqual(waitsForVendors(Parameters!.Payload) ? [startedAt] : undefined)
    }
  })

  it('retries the errors with which ECS reports that a limit or the capacity is exhausted', () => {
    const errors = [
      'AmazonECS.Unknown',
      'ECS.AmazonECSException',
      'ECS.InvalidParameterException',
      'ECS.ServerException',
    ]
    for (const [name, { ErrorEquals }] of retriersOf('arn:aws:states:::ecs:runTask.sync', 'ECS.AmazonECSException'))
      expect(ErrorEquals, name).toEqual(errors)
  })

  it('starts a task on Spot, and on demand whenever it retries', () => {
    for (const [name, { Resource, Parameters, Retry = [] }] of statesIn(definition)) {
      if (Resource !== 'arn:aws:states:::ecs:runTask.sync') continue
      const [{ 'CapacityProvider.$': choice }, ...others] = Parameters!.CapacityProviderStrategy as [CapacityProvider]
      const list = /^States\.ArrayGetItem\(States\.Array\((.+)\), \$\$\.State\.RetryCount\)$/.exec(choice)?.[1] ?? ''
      const [first, ...retries] = Array.from(list.matchAll(/'(\w+)'/g), ([, provider]) => provider)
      expect([first, ...new Set(retries)], name).toEqual(['FARGATE_SPOT', 'FARGATE'])
      // A retry without an item would fail the state.
      expect(retries.length, name).toBeGreaterThanOrEqual(Retry.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 0))
      expect(others, name).toEqual([])
    }
  })

  // Tasks that are refused together must not retry together.
  it('retries if ECS cannot start a task: for minutes, unless a request waits or other tasks do the work', () => {
    for (const [name, retrier] of retriersOf('arn:aws:states:::ecs:runTask.sync', 'ECS.AmazonECSException'))
      expect(patienceOf(retrier), name).toBeGreaterThan(machine === 'act' || name === 'RenderBatch' ? 60 : 300)
  })
})
