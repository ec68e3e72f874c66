// Step Functions: the AWS wire protocol (awsJson1.0) over aws-local-stepfunctions, which runs the states, and SQLite, which stores the
// executions. A state runs at least once: a state interrupted by a kill restarts from its beginning.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type {
  DescribeExecutionInput,
  ListExecutionsInput,
  SendTaskFailureInput,
  SendTaskHeartbeatInput,
  SendTaskSuccessInput,
  StartExecutionInput,
  StopExecutionInput,
} from '@aws-sdk/client-sfn'
import { listen, type RunningServer, runOnce } from '../listen.ts'
import type { Log } from '../log.ts'
import { withClientGuard } from '../loopback-guard.ts'
import { namedError } from './named-error.ts'
import { adaptDefinition, type Definition } from './step-functions/definition.ts'
import { type Execution, openExecutionStore } from './step-functions/execution-store.ts'
import { type RunningExecution, runExecution } from './step-functions/run-execution.ts'
import type { TaskRunners } from './step-functions/run-task.ts'
import { createTaskTokens } from './step-functions/task-tokens.ts'

export type { Definition } from './step-functions/definition.ts'
export type { TaskCommand, TaskRunners } from './step-functions/run-task.ts'

interface StepFunctionsOptions {
  readonly port: number
  /** Holds `states.sqlite`. */
  readonly directory: string
  /** Definitions by name of the machine, with placeholders filled in. */
  readonly machines: Readonly<Record<string, Definition>>
  readonly work: TaskRunners
  /** Wait Seconds and retry intervals are divided by it. */
  readonly timeScale: number
  readonly log: Log
}

interface StepFunctions extends RunningServer {
  /** Resumes the executions that an earlier process left RUNNING, once. Returns their number. */
  resume(): number
}

const ARN = 'arn:aws:states:us-east-1:000000000000'
/** The ARN of a machine is this prefix and its name. */
export const STATE_MACHINE_ARN_PREFIX = `${ARN}:stateMachine:`

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
const NAME = /^[^\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u
const INPUT_BYTES_MAX = 262_144
const PAGE_MAX = 1_000

/** Starts the service on 127.0.0.1. Throws an error if a definition uses a feature that the local engine does not support. */
export async function startStepFunctions(options: StepFunctionsOptions): Promise<StepFunctions> {
  const machines = new Map(
    Object.entries(options.machines).map(([name, definition]) => [
      name,
      adaptDefinition(name, definition, options.timeScale),
    ]),
  )
  const executions = openExecutionStore(options.directory)
  const tokens = createTaskTokens()
  const runs = new Map<string, RunningExecution>()

  const launch = (execution: Execution): void => {
    const definition = machines.get(execution.machine)
    if (!definition || (execution.state !== null && !(execution.state in definition.States))) {
      const cause = 'This version of the service no longer has the machine or the state of the execution.'
      executions.finish(execution.arn, { status: 'FAILED', error: 'States.Runtime', cause })
      return
    }
    const onEnd = () => void runs.delete(execution.arn)
    const { work, log } = options
    runs.set(execution.arn, runExecution(execution, definition, { executions, work, tokens, log, onEnd }))
  }

  const get = (arn: string | undefined): Execution => {
    const found = executions.find(arn ?? '')
    if (!found) throw namedError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
    return found
  }

  const handlers: Record<string, (input: never) => object> = {
    StartExecution({ stateMachineArn, name = randomUUID(), input = '{}' }: StartExecutionInput) {
      const machine = machineName(stateMachineArn)
      if (!machines.has(machine))
        throw namedError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`)
      if (!NAME.test(name)) throw namedError('InvalidName', `Invalid Name: '${name}'`)
      if (!isInput(input)) throw namedError('InvalidExecutionInput', 'The input must be JSON of at most 256 KiB.')
      const arn = `${ARN}:execution:${machine}:${name}`
      const earlier = executions.find(arn)
      // Idempotent for the same name and input while it runs; afterwards the name stays taken (for 90 days in AWS).
      if (earlier && (earlier.status !== 'RUNNING' || earlier.input !== input)) {
        throw namedError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`)
      }
      if (earlier) return { executionArn: arn, startDate: earlier.startedAt }
      executions.insert({ arn, machine, name, input, startedAt: Date.now() / 1000 })
      const execution = get(arn)
      launch(execution)
      return { executionArn: arn, startDate: execution.startedAt }
    },

    StopExecution({ executionArn, error, cause }: StopExecutionInput) {
      const { arn, status } = get(executionArn)
      if (status === 'RUNNING') {
        executions.finish(arn, { status: 'ABORTED', error, cause })
        void runs.get(arn)?.stop()
        runs.delete(arn)
      }
      return { stopDate: get(arn).stoppedAt }
    },

    DescribeExecution({ executionArn }: DescribeExecutionInput) {
      const execution = get(executionArn)
      const { input, output, error, cause } = execution
      return {
        ...summary(execution),
        input,
        ...(output !== null && { output }),
        ...(error !== null && { error }),
        ...(cause !== null && { cause }),
      }
    },

    ListExecutions({ stateMachineArn = '', statusFilter, maxResults, nextToken = '0' }: ListExecutionsInput) {
      const limit = maxResults || PAGE_MAX
      const offset = Number(nextToken)
      const found = executions.list(machineName(stateMachineArn), statusFilter, limit + 1, offset)
      const more = found.length > limit && { nextToken: String(offset + limit) }
      return { executions: found.slice(0, limit).map(summary), ...more }
    },

    SendTaskSuccess({ taskToken = '', output = '' }: SendTaskSuccessInput) {
      if (!isInput(output)) throw namedError('InvalidOutput', 'The output must be JSON of at most 256 KiB.')
      tokens.succeed(taskToken, output)
      return {}
    },

    SendTaskFailure({ taskToken = '', error, cause }: SendTaskFailureInput) {
      tokens.fail(taskToken, error, cause)
      return {}
    },

    SendTaskHeartbeat({ taskToken = '' }: SendTaskHeartbeatInput) {
      tokens.beat(taskToken)
      return {}
    },
  }

  const listener: RequestListener = async (request, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    try {
      response.end(JSON.stringify(await answer(request, handlers)))
    } catch (error) {
      const { name, message } = error as Error
      response.statusCode = 400
      response.end(JSON.stringify({ __type: `com.amazonaws.swf.service.v2.model#${name}`, message }))
    }
  }
  const running = await listen(createServer(withClientGuard(listener)), options.port)
  return {
    url: running.url,
    resume: () => {
      const interrupted = executions.running().filter(({ arn }) => !runs.has(arn))
      interrupted.forEach(launch)
      return interrupted.length
    },
    stop: runOnce(async () => {
      await running.stop()
      await Promise.all([...runs.values()].map((run) => run.stop()))
      executions.close()
    }),
  }
}

async function answer(request: IncomingMessage, operations: Record<string, (input: never) => object>): Promise<object> {
  const name = String(request.headers['x-amz-target']).split('.')[1] ?? ''
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (!operation) throw namedError('UnknownOperationException', `The local Step Functions does not support ${name}.`)
  return operation(JSON.parse(await text(request)) as never)
}

/** The name in the ARN of a machine, which may end in a version or an alias. */
function machineName(arn = ''): string {
  return arn.split(':')[6] ?? ''
}

function isInput(json: string): boolean {
  try {
    JSON.parse(json)
    return Buffer.byteLength(json) <= INPUT_BYTES_MAX
  } catch {
    return false
  }
}

function summary({ arn, machine, name, status, startedAt, stoppedAt }: Execution): object {
  return {
    executionArn: arn,
    stateMachineArn: `${STATE_MACHINE_ARN_PREFIX}${machine}`,
    name,
    status,
    startDate: startedAt,
    ...(stoppedAt !== null && { stopDate: stoppedAt }),
  }
}
