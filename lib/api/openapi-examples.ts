/** The examples of the OpenAPI document. */
import * as v from 'valibot'
import { platforms } from '../domain/platform.ts'
import { notFound } from '../domain/refusal.ts'
import type { Video } from '../domain/video.ts'
import * as change from '../domain/video.ts'
import * as jobs from '../domain/video-jobs.ts'
import { voices } from '../domain/voice.ts'
import { createWorkspace } from '../domain/workspace.ts'
import type { ErrorBody } from './errors.ts'
import { errorAnswer } from './errors.ts'
import { parseRequest } from './parse.ts'
import { createVideoRequest } from './requests/videos.ts'
import * as routes from './routes.ts'
import { accountView, videoItemView, videoView, voiceView } from './views.ts'

type RouteName = keyof typeof routes

/** Examples are what the program itself would answer: the life of one video, decided by the rules and shown by the views. */
export const exampleBodies: Partial<Record<RouteName, unknown>> = {
  createVideo: { prompt: 'Three small habits that make mornings calm', voiceId: 'en-clara', process: { render: true } },
  editVideo: { title: 'Quiet mornings' },
  mergeConfig: { captionsFontSize: 64 },
}

export function exampleAnswers(): Partial<Record<RouteName, unknown>> {
  const workspace = createWorkspace(
    { id: 'wsp_01kbexample', name: 'Example', planId: 'starter', organizationId: null, mediaSecret: '' },
    '2026-11-02T09:00:00.000Z',
  )
  const at = (second: number) => `2026-11-02T09:01:${String(second).padStart(2, '0')}.000Z`
  const addressOf = (key: string) => `https://media.reelsmith.dev/${key}`
  const place = (name: string) => `${workspace.id}/${name}`
  const wish = v.parse(createVideoRequest, exampleBodies.createVideo)
  const ids = { videoId: 'vid_01kbexample', runId: 'run_1' }
  const made = {
    title: 'Calm mornings',
    durationSeconds: 41.6,
    audioKey: place('narrations/5d41402abc4b2a76b9719d911017c592.wav'),
    captionsKey: place('subtitles/7d793037a0760186574b0282f2f435e7.vtt'),
    timelines: { bRolls: place('timelines/9bf31c7ff062936a96d3c8bd1f8f2ff3.json') },
  }
  const film = {
    renderKey: place('renders/e4da3b7fbbce2345d7772b0674a318d5.mp4'),
    thumbnailKey: place('renders/e4da3b7fbbce2345d7772b0674a318d5.jpg'),
    bytes: 8_412_903,
  }
  const queued = change.createVideo(workspace, wish, ids, at(0)).change.after
  const begun = jobs.beginProcess(queued, ids.runId, at(1))!.change.after
  const rendering = jobs.completeProcess(workspace, begun, ids.runId, made, at(20)).change.after
  const { runId } = rendering.render!
  const claimed = jobs.beginRender(rendering, runId, place('manifests/1'), at(21))!.change.after
  const ready: Video = jobs.completeRender(claimed, runId, 0, film, at(50)).change.after
  return {
    getAccount: accountView(workspace, at(0)),
    listVoices: voices.slice(0, 1).map((voice) => voiceView(voice, addressOf)),
    listPlatforms: platforms,
    createVideo: videoView(queued, addressOf),
    listVideos: { data: [videoItemView(ready, addressOf)], paging: { limit: 50, offset: 0, total: 1 } },
    getVideo: videoView(ready, addressOf),
    editVideo: videoView(change.editVideo(ready, { title: 'Quiet mornings' }, at(52)).change.after, addressOf),
    getConfig: ready.config,
    mergeConfig: change.mergeConfig(ready, { captionsFontSize: 64 }, at(53)).change.after.config,
    resetConfig: change.resetConfig(ready, at(54)).change.after.config,
    renderVideo: videoView(jobs.requestRender(workspace, ready, 'run_2', at(55)).change.after, addressOf),
  }
}

export function exampleErrors(): Partial<Record<ErrorBody['error']['code'], ErrorBody>> {
  const answer = (reason: unknown) => errorAnswer(reason, 'req_01kbexample').body
  return {
    'invalid-request': answer(refusalOf({ type: 'film' })),
    'not-found': answer(notFound('record')),
    'internal-error': answer(undefined),
  }
}

/** What POST /videos says to a body. */
function refusalOf(body: unknown): unknown {
  try {
    return parseRequest(routes.createVideo, { params: {}, query: {}, body: JSON.stringify(body) })
  } catch (refusal) {
    return refusal
  }
}
