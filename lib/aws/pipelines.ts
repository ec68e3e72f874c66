/** Step Functions: starts executions under names that make a repeat harmless. The one door to it. */
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

/** Starts the execution of a run. Ids only: whoever wakes up reads the row. Already started is as good as started. */
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

/** Ends the execution of a run and the task that it waits for; one that has ended or never began is left alone. */
export async function stopPipeline(pipeline: Pipeline, runId: string): Promise<void> {
  try {
    await states.send(new StopExecutionCommand({ executionArn: executionArn(pipeline, runId) }))
  } catch (error) {
    if (!(error instanceof ExecutionDoesNotExist)) throw error
  }
}

/** Whether the execution of a run goes on; `missing` where it was never started. */
export async function pipelineState(pipeline: Pipeline, runId: string): Promise<'running' | 'ended' | 'missing'> {
  try {
    const { status } = await states.send(new DescribeExecutionCommand({ executionArn: executionArn(pipeline, runId) }))
    return status === 'RUNNING' || status === 'PENDING_REDRIVE' ? 'running' : 'ended'
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return 'missing'
    throw error
  }
}
