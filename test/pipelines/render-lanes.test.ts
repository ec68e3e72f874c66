/** The state machine of the render, on the local engine: which workers render, and what happens where a function fails. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { namedError } from '../../local/emulators/named-error.ts'
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
const ids = 'wsp_1 vid_1 run_1'
const part = (command: string, ...rest: string[]) => ({ command: [command, ...Object.values(run), ...rest] })
const parts = [part('render-sound'), part('render-thumbnail'), part('render-batch', '0', '900')]

interface Begun {
  lacks?: string
  lane: string
  batches?: { from: string; to: string }[]
  parts?: object[]
}

/**
 * The commands of functions (`λ`) and tasks, in the order in which they began, as `Begin` returns what it is given. A task
 * for a batch from frame 0 fails. `fault` is the error of a function's command, if any.
 */
async function commandsOf(
  begun: Begun[],
  fault: (command: string, calls: number) => string | undefined = () => undefined,
) {
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
        invoke: async (name, payload) => {
          completed ||= name === 'Complete'
          if (name !== 'MediaFunction') return { lacks: 'nothing', batches: [], parts: [], ...begun.shift() }
          const command = (payload as { command: string[] }).command.join(' ')
          commands.push(`λ ${command}`)
          const error = fault(command, commands.filter((one) => one === `λ ${command}`).length)
          if (error) throw namedError(error, 'A fault.')
          return { outcome: 'done' }
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

const batches = [
  { ...run, from: '0', to: '900' },
  { ...run, from: '900', to: '1800' },
]

describe('a render', () => {
  it('that fits a function is one', async () => {
    expect(await commandsOf([{ lane: 'function' }])).toEqual([`λ render-video ${ids}`])
  })

  it('for several functions is one for each part, then the one that joins them', async () => {
    const commands = await commandsOf([{ lane: 'functions', parts }])
    expect(commands.at(-1)).toBe(`λ render-video ${ids}`)
    expect(commands.slice(0, -1).toSorted()).toEqual([
      `λ render-batch ${ids} 0 900`,
      `λ render-sound ${ids}`,
      `λ render-thumbnail ${ids}`,
    ])
  })

  it('of which a part was lost is completed by a task, and by no other function', async () => {
    const lost = (command: string) => (command.startsWith('render-batch') ? 'Runtime.ExitError' : undefined)
    const commands = await commandsOf([{ lane: 'functions', parts }], lost)
    expect(commands.at(-1)).toBe(`render-video ${ids}`)
    expect(commands).toHaveLength(4)
  })

  it.each([
    'Sandbox.Timedout',
    'Runtime.ExitError',
    'Runtime.OutOfMemory',
    'DeadlineReached',
    'ProviderBusy',
    'TryAgain',
    'Never.Heard',
  ])('whose function fails with %s is one task, without a second function', async (error) => {
    expect(await commandsOf([{ lane: 'function' }], () => error)).toEqual([
      `λ render-video ${ids}`,
      `render-video ${ids}`,
    ])
  })

  it('whose function is throttled twice, or failed once on the side of AWS, needs no task', async () => {
    const throttled = (_: string, calls: number) => (calls <= 2 ? 'Lambda.TooManyRequestsException' : undefined)
    expect(await commandsOf([{ lane: 'function' }], throttled)).toEqual(Array(3).fill(`λ render-video ${ids}`))
    const failed = (_: string, calls: number) => (calls <= 1 ? 'Lambda.ServiceException' : undefined)
    expect(await commandsOf([{ lane: 'function' }], failed)).toEqual(Array(2).fill(`λ render-video ${ids}`))
  })

  it('whose function stays throttled is a task', async () => {
    const commands = await commandsOf([{ lane: 'function' }], () => 'Lambda.TooManyRequestsException')
    expect(commands).toEqual([...Array(3).fill(`λ render-video ${ids}`), `render-video ${ids}`])
  })

  it('for tasks is one for each batch, then the one that joins them, also if a batch failed twice', async () => {
    expect(await commandsOf([{ lane: 'task' }])).toEqual([`render-video ${ids}`])
    const commands = await commandsOf([{ lane: 'task', batches }])
    expect(commands.at(-1)).toBe(`render-video ${ids}`)
    expect(commands.slice(0, -1).toSorted()).toEqual([
      `render-batch ${ids} 0 900`,
      `render-batch ${ids} 0 900`,
      `render-batch ${ids} 900 1800`,
    ])
  })
})
