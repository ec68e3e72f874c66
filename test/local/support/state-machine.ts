// A state machine service with one machine, and helpers that build its states.

import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { awsClientConfig } from '../../../local/aws-client-config.ts'
import {
  type Definition,
  STATE_MACHINE_ARN_PREFIX,
  startStepFunctions,
  type TaskRunners,
} from '../../../local/emulators/step-functions.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { waitFor } from '../../support/wait-for.ts'
import { freePort, memoryLog, stopAfterTest } from './fixtures.ts'

type Payload = Record<string, unknown>
type Functions = Record<string, (payload: Payload) => unknown>

export const LAMBDA = 'arn:aws:states:::lambda:invoke'
const CONTAINER = 'arn:aws:states:::ecs:runTask.sync'

/** A Task that calls a function with the whole input and keeps only its result. */
export const lambdaTask = (FunctionName: string, more: object = { End: true }) => ({
  Type: 'Task',
  Resource: LAMBDA,
  Parameters: { FunctionName, 'Payload.$': '$' },
  OutputPath: '$.Payload',
  ...more,
})

export const containerTask = (script: string, more: object = { End: true }) => ({
  Type: 'Task',
  Resource: CONTAINER,
  Parameters: {
    TaskDefinition: 'render',
    Overrides: {
      ContainerOverrides: [{ Name: 'main', Command: ['-c', script], Environment: [{ Name: 'GREETING', Value: 'hi' }] }],
    },
  },
  ...more,
})

export const stateMachine = (StartAt: string, States: Definition['States'], more: object = {}): Definition => ({
  StartAt,
  States,
  ...more,
})

export const startMachine = async (definition: Definition, functions: Functions = {}, timeScale = 1) => {
  const directory = temporaryDirectory()
  const { lines, log } = memoryLog()
  const printed: string[] = []
  const work: TaskRunners = {
    invoke: async (name, payload) => {
      const target = functions[name.split(':').at(-1) ?? '']
      if (!target) throw Object.assign(new Error(`no function ${name}`), { name: 'Lambda.ResourceNotFoundException' })
      return target(payload as Payload)
    },
    command: () => ({ command: ['sh'], env: { FROM: 'the caller' }, onLine: (line) => printed.push(line) }),
  }
  const options = { directory, machines: { flow: definition }, work, timeScale, log, port: await freePort(directory) }
  const service = await stopAfterTest(startStepFunctions(options))
  const client = new SFNClient(awsClientConfig(service.url))
  const stateMachineArn = `${STATE_MACHINE_ARN_PREFIX}flow`
  const begin = async (input: unknown = {}, name?: string) => {
    const command = new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input), ...(name && { name }) })
    return (await client.send(command)).executionArn ?? ''
  }
  const describe = (executionArn: string) => client.send(new DescribeExecutionCommand({ executionArn }))
  const ended = (executionArn: string) =>
    waitFor(`${executionArn} has ended`, async () => {
      const execution = await describe(executionArn)
      return execution.status !== 'RUNNING' && execution
    })
  return { client, begin, describe, ended, printed, lines, stateMachineArn, options, service }
}
