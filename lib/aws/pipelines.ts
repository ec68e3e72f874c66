/** Step Functions: starts executions, idempotent by name. The only client of Step Functions. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { type Pipeline, type PipelineStart, pipelines } from '../domain/core/pipeline.ts'
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

/** Starts the comparison of the lanes (`containers/media/render/canary.ts`), which belongs to no workspace. */
export async function startCanary(runId: string): Promise<void> {
  const input = JSON.stringify({ kind: 'canary', runId, workspaceId: '-', videoId: '-' })
  const name = executionName('act', runId)
  await states.send(new StartExecutionCommand({ stateMachineArn: stateMachineArn('act'), name, input }))
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

/** What Step Functions keeps of an execution, for 90 days. */
export interface ExecutionSummary {
  pipeline: Pipeline
  arn: string
  status: string
  startedAt: string | null
  stoppedAt: string | null
  error: string | null
  cause: string | null
  workspaceId: string
  videoId: string
}

/** The execution of a run by its id alone, whatever its pipeline. For the operator. */
export async function findExecution(runId: string): Promise<ExecutionSummary | undefined> {
  for (const pipeline of pipelines) {
    try {
      const found = await states.send(new DescribeExecutionCommand({ executionArn: executionArn(pipeline, runId) }))
      const { status = 'RUNNING', startDate, stopDate, error = null, cause = null, input = '{}' } = found
      const { workspaceId, videoId } = JSON.parse(input) as { workspaceId: string; videoId: string }
      return {
        pipeline,
        arn: found.executionArn ?? executionArn(pipeline, runId),
        status,
        startedAt: startDate?.toISOString() ?? null,
        stoppedAt: stopDate?.toISOString() ?? null,
        error,
        cause,
        workspaceId,
        videoId,
      }
    } catch (reason) {
      if (!(reason instanceof ExecutionDoesNotExist)) throw reason
    }
  }
  return undefined
}
