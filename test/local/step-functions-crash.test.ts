import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { expect, onTestFinished, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { STATE_MACHINE_ARN_PREFIX } from '../../local/emulators/step-functions.ts'
import { startChild } from '../../local/processes.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'
import { freePort, isAlive } from './support/fixtures.ts'

const SCRIPT = join(import.meta.dirname, 'support/step-functions-process.ts')

test('a run killed with SIGKILL resumes at its state, and its container dies with it', async () => {
  const directory = temporaryDirectory()
  const port = await freePort(directory)
  const journal = () => {
    try {
      return readFileSync(join(directory, 'journal'), 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  const startProcess = async () => {
    const lines: string[] = []
    const child = startChild([process.execPath, SCRIPT, directory, String(port)], {
      onLine: (line) => lines.push(line),
    })
    onTestFinished(() => child.stop(0))
    await waitFor('the process is ready', () => lines.includes('ready'))
    return child
  }
  const client = new SFNClient(awsClientConfig(`http://127.0.0.1:${port}`))
  const renders = () => journal().filter((line) => line.startsWith('render '))

  const first = await startProcess()
  const start = new StartExecutionCommand({
    stateMachineArn: `${STATE_MACHINE_ARN_PREFIX}flow`,
    input: '{"runId":"r1"}',
    name: 'r1',
  })
  const { executionArn } = await client.send(start)
  await waitFor('it renders', () => renders().length === 1)
  process.kill(first.pid, 'SIGKILL')
  await waitFor('its container is gone', () => !isAlive(Number(renders()[0]?.split(' ')[1])))

  await startProcess()
  await waitFor('it renders again', () => renders().length === 2)
  expect(await client.send(start)).toMatchObject({ executionArn })
  writeFileSync(join(directory, 'go'), '')
  const execution = await waitFor('it has ended', async () => {
    const found = await client.send(new DescribeExecutionCommand({ executionArn }))
    return found.status !== 'RUNNING' && found
  })
  expect([execution.status, execution.output]).toEqual(['SUCCEEDED', '{"result":"complete done"}'])
  expect(journal().filter((line) => !line.startsWith('render '))).toEqual([
    'prepare {"state":{"runId":"r1"},"execution":{"runId":"r1"}}',
    'complete {"state":{"result":"prepare done"},"execution":{"runId":"r1"}}',
  ])
})
