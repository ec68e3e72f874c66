/** The records of the OpenAPI examples: the states of one video, decided by the domain. Pure; same output on every run. */
import * as v from 'valibot'
import {
  narrationChecks,
  pictureCheck,
  renderChecks,
  segmentChecks,
} from '../../../domain/generation/quality/checks.ts'
import { qualityOf } from '../../../domain/records/quality.ts'
import type { Video } from '../../../domain/records/video.ts'
import { createClip } from '../../../domain/videos/clip.ts'
import { completeProcess, completeRender } from '../../../domain/videos/complete-job.ts'
import { createVideo } from '../../../domain/videos/create-video.ts'
import * as jobs from '../../../domain/videos/job-transitions.ts'
import type { Workspace } from '../../../domain/workspaces/workspace.ts'
import { createWorkspace } from '../../../domain/workspaces/workspace.ts'
import { createVideoRequest } from '../../requests/videos.ts'
import * as routes from '../../routes/videos.ts'
import type { MediaUrlFor } from '../../views/index.ts'

export interface ExampleScenario {
  workspace: Workspace
  /** One video after its creation, its generation and its render. */
  queued: Video
  generated: Video
  ready: Video
  /** A variation of it. */
  clip: Video
  /** The time, in seconds after 2026-11-02T09:01:00Z. */
  at: (second: number) => string
  mediaUrl: MediaUrlFor
  /** The key of a stored object. */
  objectKey: (name: string) => string
}

const hearing = { durationMs: 41_000, loudnessLufs: -20.3, windowMs: 10, sounds: [] }

export function exampleScenario(): ExampleScenario {
  const workspace = createWorkspace(
    { id: 'wsp_01kbexample', name: 'Example', planId: 'starter', organizationId: null, mediaSecret: '' },
    '2026-11-02T09:00:00.000Z',
  )
  const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 9, 1, second)).toISOString()
  const mediaUrl = (key: string) => `https://media.reelsmith.dev/${key}`
  const objectKey = (name: string) => `${workspace.id}/${name}`
  const input = v.parse(createVideoRequest, routes.createVideo.bodyExample)
  const ids = { videoId: 'vid_01kbexample', runId: 'run_1' }
  const generation = {
    title: 'Calm mornings',
    durationSeconds: 41.6,
    audioKey: objectKey('narrations/5d41402abc4b2a76b9719d911017c592.wav'),
    captionsKey: objectKey('subtitles/7d793037a0760186574b0282f2f435e7.vtt'),
    timelines: { bRolls: objectKey('timelines/9bf31c7ff062936a96d3c8bd1f8f2ff3.json') },
    checks: [
      ...narrationChecks('', [], hearing),
      ...segmentChecks([{ startMs: 0, endMs: 41_600 }], 41_600),
      pictureCheck(0),
    ],
  }
  const render = {
    renderKey: objectKey('renders/e4da3b7fbbce2345d7772b0674a318d5.mp4'),
    thumbnailKey: objectKey('renders/e4da3b7fbbce2345d7772b0674a318d5.jpg'),
    bytes: 8_412_903,
    made: {
      inputsHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      sha256: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
      reuse: { segments: 24, reused: 23, secondsRendered: 1.8 },
      quality: qualityOf(renderChecks({ ...hearing, loudnessLufs: -14.1 })),
    },
  }
  const queued = createVideo(workspace, input, ids, at(0)).video
  const generating = jobs.beginProcess(queued, ids.runId, at(1))!.video
  const generated = completeProcess(workspace, generating, ids.runId, generation, at(20)).video
  const { runId } = generated.render!
  const rendering = jobs.beginRender(generated, runId, objectKey('manifests/1'), at(21))!.video
  const ready = completeRender(rendering, runId, 0, render, at(50)).video
  const clipIds = { videoId: 'vid_01kbexampleclip', runId: 'run_5' }
  const clip = createClip(workspace, ready, { regenerate: true, render: true }, clipIds, at(58)).video
  return { workspace, queued, generated, ready, clip, at, mediaUrl, objectKey }
}

/** A page that holds the whole list. */
export const examplePage = <Item>(...data: Item[]) => ({
  data,
  paging: { limit: 50, offset: 0, total: data.length },
})
