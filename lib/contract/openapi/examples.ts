/** The examples of the OpenAPI document. */
import * as v from 'valibot'
import { platforms } from '../../domain/core/platform.ts'
import { notFound } from '../../domain/core/refusal.ts'
import { mergeBRolls } from '../../domain/generation/b-rolls.ts'
import { mergeCaptions, paginateCaptions, toCaptionWords } from '../../domain/generation/captions/captions.ts'
import { narrationChecks, pictureCheck, renderChecks, segmentChecks } from '../../domain/generation/quality/checks.ts'
import { mergePresentationScenes } from '../../domain/generation/scenes/presentation-scenes.ts'
import * as scenes from '../../domain/generation/scenes/scenes.ts'
import { requestScript } from '../../domain/generation/script-job.ts'
import { qualityOf } from '../../domain/records/quality.ts'
import type { Video } from '../../domain/records/video.ts'
import { createUpload, resolveUpload } from '../../domain/uploads/upload.ts'
import { createClip } from '../../domain/videos/clip.ts'
import { requestConversion } from '../../domain/videos/conversion.ts'
import { createVideo } from '../../domain/videos/create-video.ts'
import * as edits from '../../domain/videos/edits.ts'
import * as jobs from '../../domain/videos/jobs.ts'
import { requestProcess } from '../../domain/videos/requeue.ts'
import { builtInVoices } from '../../domain/videos/voices.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { createWorkspace } from '../../domain/workspaces/workspace.ts'
import type { ErrorBody } from '../errors.ts'
import { toErrorResponse } from '../errors.ts'
import { parseRequest } from '../parse-request.ts'
import { makePresenterRequest } from '../requests/presenter.ts'
import { drawSceneImageRequest } from '../requests/scene-image.ts'
import { editSceneRequest } from '../requests/scenes.ts'
import {
  replaceBRollsRequest,
  replaceCaptionsRequest,
  replacePresentationScenesRequest,
} from '../requests/timelines.ts'
import { createUploadRequest } from '../requests/uploads.ts'
import { createVideoRequest } from '../requests/videos.ts'
import * as routes from '../routes.ts'
import type { MediaUrlFor } from '../views/index.ts'
import {
  accountView,
  bRollView,
  downloadView,
  newUploadView,
  publicationView,
  sceneView,
  uploadView,
  videoItemView,
  videoView,
  voiceView,
} from '../views/index.ts'
import { profileView } from '../views/profiles.ts'
import { exampleAutomationBodies, exampleAutomationResponses } from './automation-examples.ts'
import { exampleProfile, examplePublishedVideo, examplePublishRequest } from './publish-examples.ts'
import type { ExampleScenario } from './webhook-examples.ts'
import { exampleEvents, exampleWebhookBodies, exampleWebhookResponses } from './webhook-examples.ts'

type RouteName = keyof typeof routes

/** Examples are what the program itself would answer: the life of one video, decided by the rules and shown by the views. */
export const exampleBodies: Partial<Record<RouteName, unknown>> = {
  createVideo: { prompt: 'Three small habits that make mornings calm', voiceId: 'en-clara', process: { render: true } },
  editVideo: { title: 'Quiet mornings' },
  mergeConfig: { captionsFontSize: 64 },
  createClip: { regenerate: true, render: true },
  publishVideo: examplePublishRequest,
  beginConnection: { platform: 'tiktok' },
  processVideo: { transcribe: true, addBRolls: true, render: true },
  writeScript: { prompt: 'Playful, and end with a question' },
  createUpload: { fileName: 'harbour.mp4', contentType: 'video/mp4', bytes: 48_512_204, process: { render: true } },
  describeVideo: { prompt: 'Friendly, with a question at the end' },
  replaceCaptions: { captionsPages: [{ id: 'pag_01kbexample', startMs: 0, endMs: 1_250, hidden: true }] },
  replaceBRolls: [{ id: 'brl_01kbexample', startMs: 0, endMs: 2_400, text: 'Calm mornings', mediaType: 'ai_image' }],
  replacePresentationScenes: [{ startMs: 0, endMs: 2_400, text: 'Calm mornings', template: 'heroTitle' }],
  makePresenter: { imageUrl: 'https://images.example.com/clara.jpg', avatarId: 'clara', name: 'Clara' },
  addScene: { afterSceneId: 'scn_01kbexample1' },
  drawSceneImage: { prompt: 'A kettle on a quiet stove; calm mood' },
  editScene: { narration: 'Then open the window for a minute.', duration: 7.5 },
  ...exampleAutomationBodies,
  ...exampleWebhookBodies,
}

const exampleScene: scenes.StoredScene = {
  id: 'scn_01kbexample1',
  imagePrompt: 'morning, kitchen, light; calm mood',
  animationPrompt: 'Slow push in',
  narration: 'Calm mornings begin in the evening.',
  voiceDescription: 'A calm, natural voice',
  duration: 6.2,
  imageKey: null,
  videoKey: null,
}

const exampleHearing = { durationMs: 41_000, loudnessLufs: -20.3, windowMs: 10, sounds: [] }

/** The life of one video, from its brief to a film and a clip. */
function exampleScenario(): ExampleScenario & { place: (name: string) => string } {
  const workspace = createWorkspace(
    { id: 'wsp_01kbexample', name: 'Example', planId: 'starter', organizationId: null, mediaSecret: '' },
    '2026-11-02T09:00:00.000Z',
  )
  const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 9, 1, second)).toISOString()
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
    checks: [
      ...narrationChecks('', [], exampleHearing),
      ...segmentChecks([{ startMs: 0, endMs: 41_600 }], 41_600),
      pictureCheck(0),
    ],
  }
  const film = {
    renderKey: place('renders/e4da3b7fbbce2345d7772b0674a318d5.mp4'),
    thumbnailKey: place('renders/e4da3b7fbbce2345d7772b0674a318d5.jpg'),
    bytes: 8_412_903,
    made: {
      inputsHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      sha256: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
      reuse: { segments: 24, reused: 23, secondsRendered: 1.8 },
      quality: qualityOf(renderChecks({ ...exampleHearing, loudnessLufs: -14.1 })),
    },
  }
  const queued = createVideo(workspace, wish, ids, at(0)).video
  const begun = jobs.beginProcess(queued, ids.runId, at(1))!.video
  const generated = jobs.completeProcess(workspace, begun, ids.runId, made, at(20)).video
  const { runId } = generated.render!
  const claimed = jobs.beginRender(generated, runId, place('manifests/1'), at(21))!.video
  const ready = jobs.completeRender(claimed, runId, 0, film, at(50)).video
  const clipIds = { videoId: 'vid_01kbexampleclip', runId: 'run_5' }
  const clip = createClip(workspace, ready, { regenerate: true, render: true }, clipIds, at(58)).video
  return { workspace, queued, generated, ready, clip, at, addressOf, place }
}

/** The body of each event. */
export const exampleEventEnvelopes = () => exampleEvents(exampleScenario())

export function exampleResponses(): Partial<Record<RouteName, unknown>> {
  const life = exampleScenario()
  const { workspace, queued, ready, clip, at, addressOf, place } = life
  const stitched: Video = { ...ready, type: 'ai', timelines: { ...ready.timelines, scenes: place('timelines/1.json') } }
  const { prompt } = v.parse(drawSceneImageRequest, exampleBodies.drawSceneImage)
  const still = place('visuals/c81e728d9d4c2f636f067f89cc14862c.png')
  const drawn = scenes.withSceneImage([exampleScene], exampleScene.id, prompt ?? '', still)
  const profile = profileView(exampleProfile(workspace.id, at(0)), at(0))
  const added = scenes.addScene([exampleScene], 'scn_01kbexample2')
  const sceneEdit = v.parse(editSceneRequest, exampleBodies.editScene)
  return {
    getAccount: accountView(workspace, at(0)),
    listVoices: builtInVoices.slice(0, 1).map((voice) => voiceView(voice, true, addressOf)),
    listPlatforms: platforms,
    listProfiles: { data: [profile], paging: { limit: 50, offset: 0, total: 1 } },
    getProfile: profile,
    beginConnection: {
      url: 'https://www.tiktok.com/v2/auth/authorize/?response_type=code&client_key=aw1b2c3&state=wq0kP5',
      expiresAt: at(660),
    },
    createVideo: videoView(queued, addressOf),
    listVideos: { data: [videoItemView(ready, addressOf)], paging: { limit: 50, offset: 0, total: 1 } },
    getVideo: videoView(ready, addressOf),
    editVideo: videoView(edits.editVideo(ready, { title: 'Quiet mornings' }, builtInVoices, at(52)).video, addressOf),
    deleteVideo: { ok: true, deletedClips: 2, deletedBytes: 25_238_709 },
    describeVideo: { videoId: ready.id, description: 'Calm mornings begin in the evening. #mornings #habits' },
    ...timelineAnswers(addressOf),
    ...uploadAnswers(workspace, addressOf, at),
    ...exampleAutomationResponses(life),
    ...exampleWebhookResponses(life),
    addScene: sceneView(added.scene, addressOf),
    editScene: sceneView(scenes.editScene(added.scenes, added.scene.id, sceneEdit).scene, addressOf),
    removeScene: { ok: true },
    drawSceneImage: sceneView(drawn.scene, addressOf),
    getConfig: ready.config,
    mergeConfig: edits.mergeConfig(ready, { captionsFontSize: 64 }, at(53)).video.config,
    resetConfig: edits.resetConfig(ready, at(54)).video.config,
    listClips: { data: [videoItemView(clip, addressOf)], paging: { limit: 50, offset: 0, total: 1 } },
    createClip: videoView(clip, addressOf),
    publishVideo: publicationView(examplePublishedVideo(workspace, ready, at)),
    processVideo: videoView(
      requestProcess(workspace, ready, { transcribe: true, addBRolls: true, render: true }, 'run_3', at(56)).video,
      addressOf,
    ),
    writeScript: videoView(
      requestScript(workspace, ready, 'Playful, and end with a question', 'run_4', at(57)).video,
      addressOf,
    ),
    renderVideo: videoView(jobs.requestRender(workspace, ready, 'run_2', at(55)).video, addressOf),
    downloadVideo: downloadView(ready, addressOf),
    convertVideo: videoView(requestConversion(stitched, 'run_3', at(56)).video, addressOf),
  }
}

function uploadAnswers(
  workspace: Workspace,
  addressOf: MediaUrlFor,
  at: (second: number) => string,
): Partial<Record<RouteName, unknown>> {
  const wish = v.parse(createUploadRequest, exampleBodies.createUpload)
  const { upload } = createUpload(workspace, wish, 'upl_01kbexample', at(0))
  const { bytes, contentType } = wish
  const file = { bytes, contentType, start: Buffer.from('0000001866747970', 'hex') }
  const headers = { 'Content-Type': contentType, 'If-None-Match': '*' }
  return {
    createUpload: newUploadView(upload, { url: `${addressOf(upload.sourceKey)}?X-Amz-Signature=example`, headers }),
    getUpload: uploadView(resolveUpload(workspace, upload, file, at(40))!.upload),
  }
}

function timelineAnswers(addressOf: MediaUrlFor): Partial<Record<RouteName, unknown>> {
  const mint = (prefix: string) => `${prefix}_01kbexample`
  const captions = toCaptionWords([{ text: 'Calm', startMs: 0, endMs: 310 }], () => mint('cap'))
  const captionsPages = paginateCaptions(captions, () => mint('pag'))
  const pages = v.parse(replaceCaptionsRequest, exampleBodies.replaceCaptions)
  const segments = v.parse(replaceBRollsRequest, exampleBodies.replaceBRolls)
  const media = { kind: 'still' as const, key: 'visuals/1679091c5a880faf6fb5e6087eb1b2dc.png' }
  const bRolls = mergeBRolls([], segments, mint)
  const { imageUrl, avatarId, name } = v.parse(makePresenterRequest, exampleBodies.makePresenter)
  const presenter = { imageUrl: imageUrl ?? '', avatarId: avatarId ?? '', name: name ?? '' }
  const presented = { bytes: 1_204_331, generatedAt: '2026-11-02T09:02:30.000Z' }
  const clip = { kind: 'clip' as const, key: 'visuals/eccbc87e4b5ce2fe28308fd9f2a7baf3.mp4' }
  const sent = v.parse(replacePresentationScenesRequest, exampleBodies.replacePresentationScenes)
  const stored = { captions, presentationScenes: [] }
  const cut = mergePresentationScenes({ durationSeconds: 41.6 }, stored, sent, mint)
  return {
    replaceCaptions: mergeCaptions({ captions, captionsPages }, pages, mint),
    replaceBRolls: bRolls.map((segment) => bRollView({ ...segment, media }, addressOf)),
    makePresenter: bRollView({ ...bRolls[0]!, media: clip, presenter: { ...presenter, ...presented } }, addressOf),
    listPresentationScenes: cut,
    replacePresentationScenes: cut,
    recutPresentation: cut,
  }
}

export function exampleErrors(): Partial<Record<ErrorBody['error']['code'], ErrorBody>> {
  const answer = (reason: unknown) => toErrorResponse(reason, 'req_01kbexample').body
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
