/** The state machine of the render, on the local engine: how a long render is split into tasks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { STATE_MACHINE_ARN_PREFIX, startStepFunctions } from '../../local/emulators/step-functions.ts'
import { freePort, memoryLog, stopAfterTest } from '../local/support/fixtures.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'

const definition = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../state-machines/render.asl.json'), 'utf8').replaceAll(
    /\$\{(\w+)\}/g,
    '$1',
  ),
)
const run = { workspaceId: 'wsp_1', videoId: 'vid_1', runId: 'run_1' }

/** Answers the commands of the tasks in the order in which they began; a batch from frame 0 fails. */
async function commandsOf(batches: { from: string; to: string }[]): Promise<string[]> {
  const directory = temporaryDirectory()
  const commands: string[] = []
  let completed = false
  const script = 'echo "$@"; case "$1 $5" in "render-batch 0") exit 75;; esac'
  const service = await stopAfterTest(
    startStepFunctions({
      directory,
      machines: { render: definition },
      timeScale: 1_000,
      log: memoryLog().log,
      port: await freePort(directory),
      work: {
        invoke: async (name) => {
          completed ||= name === 'Complete'
          return { lacks: 'nothing', batches: batches.map((batch) => ({ ...run, ...batch })) }
        },
        command: () => ({ command: ['sh', '-c', script, 'sh'], onLine: (line) => commands.push(line) }),
      },
    }),
  )
  const client = new SFNClient(awsClientConfig(service.url))
  const stateMachineArn = `${STATE_MACHINE_ARN_PREFIX}render`
  await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(run) }))
  await waitFor('the render is complete', () => completed)
  return commands
}

describe('the render', () => {
  it('of a short video is one task', async () => {
    expect(await commandsOf([])).toEqual(['render-video wsp_1 vid_1 run_1'])
  })

  it('of a long video is one task for each batch, then the one that joins them, also if a batch failed twice', async () => {
    const commands = await commandsOf([
      { from: '0', to: '900' },
      { from: '900', to: '1800' },
    ])
    expect(commands.at(-1)).toBe('render-video wsp_1 vid_1 run_1')
    expect(commands.slice(0, -1).toSorted()).toEqual([
      'render-batch wsp_1 vid_1 run_1 0 900',
      'render-batch wsp_1 vid_1 run_1 0 900',
      'render-batch wsp_1 vid_1 run_1 900 1800',
    ])
  })
})
