/** The state machine of synchronous jobs on the local engine: which workers it starts, and how it ends. */
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

const file = join(import.meta.dirname, '../../state-machines/act.asl.json')
const definition = JSON.parse(readFileSync(file, 'utf8').replaceAll(/\$\{(\w+)\}/g, '$1'))

/**
 * The end of the execution, and what began: the functions with their commands, then the commands of tasks. A task passes
 * where its argument is `same`.
 */
async function execute(input: object, invoke: (calls: number) => object) {
  const directory = temporaryDirectory()
  const commands: string[] = []
  const service = await stopAfterTest(
    startStepFunctions({
      directory,
      machines: { act: definition },
      timeScale: 1_000,
      log: memoryLog().log,
      port: await freePort(directory),
      work: {
        invoke: async (name, payload) => {
          const { command = [] } = payload as { command?: string[] }
          commands.push([name, ...command].join(' '))
          return name === 'MediaFunction' ? invoke(commands.length) : {}
        },
        command: () => ({
          command: ['sh', '-c', 'echo "$@"; test "$5" = same', 'sh'],
          onLine: (line) => commands.push(line),
        }),
      },
    }),
  )
  const client = new SFNClient(awsClientConfig(service.url))
  const stateMachineArn = `${STATE_MACHINE_ARN_PREFIX}act`
  const start = new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) })
  const { executionArn } = await client.send(start)
  const result = await waitFor('the execution has ended', async () => {
    const found = await client.send(new DescribeExecutionCommand({ executionArn }))
    return found.status !== 'RUNNING' && found
  })
  return { status: result.status, error: result.error, commands }
}

const compare = (invoke: () => object) =>
  execute({ kind: 'canary', runId: 'run_1', workspaceId: '-', videoId: '-' }, invoke)

it('the lanes are compared by a task that gets the hash of the function', async () => {
  expect(await compare(() => ({ outcome: 'done', result: { sha256: 'same', tools: '' } }))).toEqual({
    status: 'SUCCEEDED',
    error: undefined,
    commands: ['MediaFunction canary - - run_1', 'canary - - run_1 same'],
  })
})

it('the comparison fails where the task rendered other bytes, and where the function fails', async () => {
  const other = await compare(() => ({ outcome: 'done', result: { sha256: 'other', tools: '' } }))
  expect(other).toMatchObject({ status: 'FAILED', error: 'CanaryFailed' })
  const lost = await compare(() => {
    throw namedError('Runtime.OutOfMemory', 'A fault.')
  })
  expect(lost).toEqual({ status: 'FAILED', error: 'CanaryFailed', commands: ['MediaFunction canary - - run_1'] })
})

describe('a presenter whose vendor takes minutes', () => {
  const input = { kind: 'presenter', runId: 'run_1', workspaceId: 'wsp_1', videoId: 'vid_1', target: 'brl_1' }
  const poll = 'MediaFunction make-presenter wsp_1 vid_1 run_1 presenter brl_1'

  it('is polled by functions until it is done', async () => {
    const result = await execute(input, (calls) => ({ outcome: calls <= 2 ? 'pending' : 'done' }))
    expect(result).toEqual({ status: 'SUCCEEDED', error: undefined, commands: [poll, poll, poll] })
  })

  it('and longer than the job may take ends in a failed job, without a task that would wait in vain', async () => {
    const result = await execute(input, (calls) => {
      if (calls <= 2) return { outcome: 'pending' }
      throw namedError('OrderPending', 'A vendor still processes an order.')
    })
    expect(result).toEqual({ status: 'FAILED', error: 'JobFailed', commands: [poll, poll, poll, 'Fail'] })
  })
})
