/** Compares the workers of a deployment. docs/operations/deploy.md says when. */
import { setTimeout as delay } from 'node:timers/promises'
import { findExecution, pipelineState, startCanary } from '../../lib/aws/pipelines.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import type { Command } from './command.ts'

const pollMs = 2_000

export const laneCommands: Record<string, Command> = {
  'lanes compare': {
    usage: '',
    summary: 'Renders a fixed video in the media function and in a task, and fails unless both give the same bytes.',
    run: async () => {
      const runId = mintId('run', now())
      await startCanary(runId)
      while ((await pipelineState('act', runId)) === 'running') await delay(pollMs)
      const { status, cause, startedAt, stoppedAt } = (await findExecution(runId))!
      if (status !== 'SUCCEEDED') throw new Error(cause ?? `The execution act-${runId} ended as ${status}.`)
      return { runId, status, startedAt, stoppedAt }
    },
  },
}
