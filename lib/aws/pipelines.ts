/** Step Functions: starts executions, idempotent by name. The only client of Step Functions. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { Pipeline, PipelineStart } from '../domain/core/pipeline.ts'
import { env } from '../env.ts'

const states = new SFNClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
})

const executionName = (pipeline: Pipeline, runId: string) => `${pipeline}-${runId}`
const stateMachineArn = (pipeline: Pipeline) => `${env.stateMachineArnPrefix()}${pipeline}`
const executionArn = (pipeline: Pipeline, runId: string) =>
  `${stateMachineArn(pipeline).replace(':stateMachine:', ':execution:')}:${executionName(pipeline, runId)}`

/** Starts the execution of a run, idempotently. Its input carries only ids: the steps read the row. */
export async function startPipeline(workspaceId: string, { pipeline, runId, ...ids }: PipelineStart): Promise<void> {
  try {
    await states.send(
      new StartExecutionCommand({
        stateMachineArn: stateMachineArn(pipeline),
        name: executionName(pipeline, runId),
        input: JSON.stringify({ workspaceId, runId, ...ids }),
      }),
    )
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error
  }
}

/** Stops the execution of a run and its running task. Does nothing if it has ended or never started. */
export async function stopPipeline(pipeline: Pipeline, runId: string): Promise<void> {
  try {
    await states.send(new StopExecutionCommand({ executionArn: executionArn(pipeline, runId) }))
  } catch (error) {
    if (!(error instanceof ExecutionDoesNotExist)) throw error
  }
}

/** The state of the execution of a run; `missing` if it was never started. */
export async function pipelineState(pipeline: Pipeline, runId: string): Promise<'running' | 'ended' | 'missing'> {
  try {
    const { status } = await states.send(new DescribeExecutionCommand({ executionArn: executionArn(pipeline, runId) }))
    return status === 'RUNNING' || status === 'PENDING_REDRIVE' ? 'running' : 'ended'
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return 'missing'
    throw error
  }
}
