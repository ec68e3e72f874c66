/**
 * Orders at vendors that take minutes, in the state machines on the local engine: functions poll them, and a task that
 * follows a lost function ends at once where an order is pending.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { namedError } from '../../local/emulators/named-error.ts'
import { STATE_MACHINE_ARN_PREFIX, startStepFunctions } from '../../local/emulators/step-functions.ts'
import { freePort, memoryLog, stopAfterTest } from '../local/support/fixtures.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'

const run = { workspaceId: 'wsp_1', videoId: 'vid_1', runId: 'run_1' }
const ids = Object.values(run).join(' ')

/** What the record says of the work that needs the order. */
type Outcome = 'pending' | 'done'

interface Machine {
  name: string
  input: object
  command: string
  /** What the steps return. */
  stepsOf: (outcome: Outcome) => Record<string, object>
}

const machines: Machine[] = [
  {
    name: 'generate',
    input: run,
    command: `make-scenes ${ids} spoken.json`,
    stepsOf: (outcome) => ({
      Begin: { work: 'generate', type: 'ai', lane: 'function' },
      WriteScript: { key: 'script.json' },
      WriteScenes: { key: 'scenes.json' },
      NarrateScenes: { key: 'spoken.json' },
      CompleteScenes: { outcome },
    }),
  },
  {
    name: 'render',
    input: run,
    command: `animate-scenes ${ids}`,
    stepsOf: (outcome) => ({
      Begin: { lacks: outcome === 'pending' ? 'clips' : 'nothing', lane: 'function', parts: [], batches: [] },
    }),
  },
  {
    name: 'act',
    input: { ...run, kind: 'presenter', target: 'brl_1' },
    command: `make-presenter ${ids} presenter brl_1`,
    stepsOf: (outcome) => ({ CheckPresenter: { outcome } }),
  },
]

/**
 * How the execution ended, and its workers for the order: functions (`λ`) and tasks. `workers`: how each of these
 * workers ends in turn, as its outcome or as the error of a function.
 */
async function execute({ name, input, command, stepsOf }: Machine, workers: string[]) {
  const directory = temporaryDirectory()
  const file = join(import.meta.dirname, `../../state-machines/${name}.asl.json`)
  const definition = JSON.parse(readFileSync(file, 'utf8').replaceAll(/\$\{(\w+)\}/g, '$1'))
  const began: string[] = []
  const starts = new Set<string>()
  let outcome: Outcome = 'pending'
  const end = (): void => {
    const ended = workers.shift() ?? 'done'
    if (ended !== 'pending' && ended !== 'done') throw namedError(ended, 'A fault.')
    outcome = ended
  }
  const service = await stopAfterTest(
    startStepFunctions({
      directory,
      machines: { [name]: definition },
      timeScale: 10_000,
      log: memoryLog().log,
      port: await freePort(directory),
      work: {
        invoke: async (called, payload) => {
          if (called !== 'MediaFunction') return stepsOf(outcome)[called] ?? {}
          const event = payload as { command: string[]; startedAt?: string }
          if (event.command.join(' ') !== command) return { outcome: 'done' }
          began.push('λ')
          starts.add(event.startedAt ?? '')
          end()
          return { outcome }
        },
        command: () => ({
          command: ['sh', '-c', 'echo "$STARTED_AT $@"', 'sh'],
          onLine: (line) => {
            const [startedAt = '', ...rest] = line.split(' ')
            began.push(rest.join(' ') === command ? 'task' : line)
            starts.add(startedAt)
            end()
          },
        }),
      },
    }),
  )
  const client = new SFNClient(awsClientConfig(service.url))
  const stateMachineArn = `${STATE_MACHINE_ARN_PREFIX}${name}`
  const start = new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) })
  const { executionArn } = await client.send(start)
  const { status } = await waitFor('the execution has ended', async () => {
    const found = await client.send(new DescribeExecutionCommand({ executionArn }))
    return found.status !== 'RUNNING' && found
  })
  return { status, began, starts: [...starts] }
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe.each(machines)('an order of $command', (machine) => {
  it('that stays pending for 15 minutes is polled by functions alone', async () => {
    const result = await execute(machine, Array(90).fill('pending'))
    expect(result).toEqual({ status: 'SUCCEEDED', began: Array(91).fill('λ'), starts: [time] })
  })

  it('that is pending in the task which follows a lost function is polled by functions again, with the same start', async () => {
    const result = await execute(machine, ['pending', 'Runtime.OutOfMemory', 'pending', 'pending', 'done'])
    expect(result).toEqual({ status: 'SUCCEEDED', began: ['λ', 'λ', 'task', 'λ', 'λ'], starts: [time] })
  })

  it('that is done in such a task needs no other worker', async () => {
    const result = await execute(machine, ['pending', 'Sandbox.Timedout', 'done'])
    expect(result).toEqual({ status: 'SUCCEEDED', began: ['λ', 'λ', 'task'], starts: [time] })
  })
})
