/** Under a test clock, schedules follow the clock of the workspace, and jobs the wall clock. */
import { describe, expect, it } from 'vitest'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { newDecision } from '../../../lib/domain/records/decision.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { updateVideo } from '../../../lib/domain/videos/update-video.ts'
import { decideForWorkspace } from '../../../lib/domain/workspaces/test-clock.ts'
import { at, videoThatIs, workspaceOn } from '../support/videos.ts'

/** The test clock was moved a day ahead, and stands still. */
const clockAt = at(86_400)
const ahead = workspaceOn('starter', { clockAt })

/** Queues a render at the time of the workspace, beside what is queued already. */
const queueRender = (before: Video) => (now: string) => {
  const job = { runId: 'run_9', status: 'QUEUED', progress: 0, queuedAt: now, startedAt: null, attempt: 0, error: null }
  const render = { ...job, deadlineAt: secondsAfter(now, 600) } as unknown as NonNullable<Video['render']>
  return updateVideo(before, { ...before, render }, now)
}

describe('a decision at the time of a workspace', () => {
  const before = videoThatIs.queued()

  it('is made at the wall clock where the workspace has no test clock', () => {
    const decision = decideForWorkspace(workspaceOn('starter'), at(100), queueRender(before))
    expect(decision.video.render).toMatchObject({ queuedAt: at(100), deadlineAt: at(700) })
  })

  it('queues its jobs at the wall clock, leaves others as they are, and is swept in time', () => {
    const decision = decideForWorkspace(ahead, at(100), queueRender(before))
    expect(decision.at).toBe(clockAt)
    expect(decision.video).toMatchObject({
      id: before.id,
      title: before.title,
      version: before.version + 1,
      process: before.process,
      render: { runId: 'run_9', status: 'QUEUED', queuedAt: at(100), deadlineAt: at(700) },
      publish: null,
    })
    expect(decision.video.dueAt! < at(700)).toBe(true)
    expect(decision.changes).toEqual([{ record: 'video', before, after: decision.video }])
  })

  it('keeps the times of a job that an earlier decision queued', () => {
    const queued = decideForWorkspace(ahead, at(100), queueRender(before)).video
    const renamed = decideForWorkspace(ahead, at(200), (now) => updateVideo(queued, { ...queued, title: 'New' }, now))
    expect(renamed.video.render).toEqual(queued.render)
  })

  it('keeps its video where it changes other records only', () => {
    const decision = decideForWorkspace(ahead, at(100), (now) => ({ ...newDecision('wsp_1', [], now), video: before }))
    expect(decision.video).toEqual(before)
  })

  it('may be none', () => {
    expect(decideForWorkspace(ahead, at(100), () => undefined)).toBeUndefined()
  })
})
