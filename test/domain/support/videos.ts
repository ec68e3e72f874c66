/** Valid records: a test sets the fields that it is about and keeps the defaults of the others. */
import type { Brief } from '../../../lib/domain/records/brief.ts'
import type { VideoDecision } from '../../../lib/domain/records/decision.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { GenerationResult, RenderResult } from '../../../lib/domain/videos/complete-job.ts'
import { completeProcess } from '../../../lib/domain/videos/complete-job.ts'
import type { VideoInput } from '../../../lib/domain/videos/create-video.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { beginProcess, beginRender } from '../../../lib/domain/videos/job-transitions.ts'
import type { PlanId } from '../../../lib/domain/workspaces/plan.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { createWorkspace } from '../../../lib/domain/workspaces/workspace.ts'

/** `at(30)` is 30 seconds after the tests' start time. */
export const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 9) + second * 1000).toISOString()

export const workspaceOn = (planId: PlanId, fields: Partial<Workspace> = {}): Workspace => ({
  ...createWorkspace({ id: 'wsp_1', name: 'Test', planId, organizationId: null, mediaSecret: 'secret' }, at(0)),
  ...fields,
})

export const briefWith = (fields: Partial<Brief> = {}): Brief => ({
  prompt: 'An idea',
  text: null,
  scriptPrompt: null,
  description: null,
  descriptionPrompt: null,
  inputMode: 'auto',
  videoDuration: 'subminute',
  language: 'en',
  aspectRatio: '9:16',
  imageStyle: 'mixed',
  connectedBRolls: false,
  customStyleText: null,
  voiceId: 'en-clara',
  voiceProvider: 'standard',
  showSubtitles: true,
  presentationTone: null,
  presentationAssets: [],
  presenter: null,
  targetDuration: null,
  characterImageUrl: null,
  characterDescription: null,
  ...fields,
})

export const videoInputWith = (fields: Partial<VideoInput> = {}): VideoInput => ({
  type: 'faceless',
  subType: null,
  title: null,
  mood: null,
  presentationMood: null,
  brief: briefWith(),
  process: { transcribe: true, addBRolls: true, render: false },
  ...fields,
})

export const generationResult: GenerationResult = {
  title: 'The written title',
  durationSeconds: 12.5,
  audioKey: 'wsp_1/narrations/a.wav',
  captionsKey: 'wsp_1/subtitles/a.vtt',
  timelines: {
    captions: 'wsp_1/timelines/c.json',
    captionsPages: 'wsp_1/timelines/p.json',
    bRolls: 'wsp_1/timelines/b.json',
  },
}

export const renderResult: RenderResult = {
  renderKey: 'wsp_1/renders/a.mp4',
  thumbnailKey: 'wsp_1/renders/a.jpg',
  bytes: 1234,
}

export const decidedVideo = (decision: VideoDecision | undefined): Video => {
  if (!decision) throw new Error('Nothing was decided.')
  return decision.video
}

const ids = { videoId: 'vid_1', runId: 'run_1' }

/**
 * A video in each state of its life cycle, with the runs `run_1` (generation) and, where requested, `run_2` (render).
 */
export const videoThatIs = {
  queued: (input = videoInputWith(), workspace = workspaceOn('starter')) =>
    decidedVideo(createVideo(workspace, input, ids, at(0))),
  generating: (input = videoInputWith()) => decidedVideo(beginProcess(videoThatIs.queued(input), 'run_1', at(1))),
  generated: (input = videoInputWith()) =>
    decidedVideo(
      completeProcess(workspaceOn('starter'), videoThatIs.generating(input), 'run_1', generationResult, at(2)),
    ),
  rendering: (video: Video) => decidedVideo(beginRender(video, video.render!.runId, 'wsp_1/manifests/m.json', at(4))),
}
