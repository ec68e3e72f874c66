/** The comparison of the lanes, in its state machine on the local engine: which workers it starts, and how it ends. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { expect, it } from 'vitest'
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
async function compare(invoke: () => object) {
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
          return name === 'MediaFunction' ? invoke() : {}
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
  const input = JSON.stringify({ kind: 'canary', runId: 'run_1', workspaceId: '-', videoId: '-' })
  const start = new StartExecutionCommand({ stateMachineArn, input })
  const { executionArn } = await client.send(start)
  const result = await waitFor('the execution has ended', async () => {
    const found = await client.send(new DescribeExecutionCommand({ executionArn }))
    return found.status !== 'RUNNING' && found
  })
  return { status: result.status, error: result.error, commands }
}

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
