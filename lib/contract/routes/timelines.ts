/** Routes: captions, b-roll segments and presentation scenes of a video. */
import { bRoll, bRollTimeline } from '../../domain/generation/b-rolls.ts'
import { presentationTimeline } from '../../domain/generation/scenes/presentation-scenes.ts'
import {
  makePresenterRequest,
  replaceBRollsRequest,
  replaceCaptionsRequest,
  replacePresentationScenesRequest,
  setBRollPictureRequest,
  timelineBytesMax,
} from '../requests/timelines.ts'
import { captions } from '../resources/index.ts'
import { route } from '../route.ts'
import { requiresOneOf } from '../schemas.ts'

const timelineItemRules = 'Missing ids are minted, duplicate ids are refused, unknown keys are dropped.'
const spanRule = '`endMs` must be at or after `startMs`.'

export const replaceCaptions = route({
  signature: 'PUT /videos/{id}/captions',
  handler: 'videos/replace-captions',
  summary: 'Replace the caption words, the caption pages or both',
  description:
    'Each given array replaces the stored one; at least one is required. A page with a stored id keeps its emoji and its audio ' +
    `effect. Without words there is no captions file. ${timelineItemRules} ${spanRule}`,
  body: replaceCaptionsRequest,
  bodySchema: requiresOneOf('captions', 'captionsPages'),
  bodyExample: { captionsPages: [{ id: 'pag_01kbexample', startMs: 0, endMs: 1_250, hidden: true }] },
  bodyBytesMax: timelineBytesMax,
  revised: true,
  returns: captions,
  permissions: ['write', 'timelines', 'storeTimelines'],
  refuses: ['warning-plan-storage'],
})

export const replaceBRolls = route({
  signature: 'PUT /videos/{id}/brolls',
  handler: 'videos/replace-brolls',
  summary: 'Replace the b-roll segments',
  description:
    'Replaces the whole timeline and fetches no media. A segment with a stored id keeps its media, its look and the fields that are ' +
    `left out; a segment with an unknown id has no media. ${timelineItemRules} ${spanRule}`,
  body: replaceBRollsRequest,
  bodyExample: [{ id: 'brl_01kbexample', startMs: 0, endMs: 2_400, text: 'Calm mornings', mediaType: 'ai_image' }],
  arrayUnder: ['bRolls'],
  bodyBytesMax: timelineBytesMax,
  revised: true,
  returns: bRollTimeline,
  permissions: ['write', 'timelines', 'storeTimelines'],
  refuses: ['warning-plan-storage'],
})

export const setBRollPicture = route({
  signature: 'PUT /videos/{id}/brolls/{brollId}/picture',
  handler: 'videos/set-broll-picture',
  summary: 'Show a picture of your own in a b-roll segment',
  description:
    'A PNG, JPEG or WebP of at most 2 MB and 4,096 pixels a side, in base64. It replaces the media of the segment, a presenter as well, ' +
    'and is cut to the format of the video. Free of charge.',
  body: setBRollPictureRequest,
  bodyExample: { data: 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/v02aAA=' },
  bodyBytesMax: timelineBytesMax,
  revised: true,
  returns: bRoll,
  permissions: ['write', 'timelines', 'storeTimelines', 'storeVisuals'],
  refuses: ['warning-plan-storage'],
})

export const makePresenter = route({
  signature: 'POST /videos/{id}/brolls/{brollId}/presenter',
  handler: 'videos/make-presenter',
  summary: 'Generate a talking presenter for a b-roll segment',
  description:
    'A portrait or an avatar speaks the narration of the segment. The default is the presenter of the brief.',
  idempotent: true,
  waitSeconds: 25,
  body: makePresenterRequest,
  bodyExample: { imageUrl: 'https://images.example.com/clara.jpg', avatarId: 'clara', name: 'Clara' },
  returns: bRoll,
  permissions: ['write', 'timelines', 'startPipeline'],
  refuses: [
    'warning-source-not-ready',
    'warning-invalid-input',
    'conflict',
    'warning-no-credits',
    'warning-plan-storage',
    'job-in-progress',
    'idempotency-in-progress',
  ],
})

export const listPresentationScenes = route({
  signature: 'GET /videos/{id}/presentation-scenes',
  handler: 'videos/list-presentation-scenes',
  summary: 'List the scenes of a presentation',
  description: 'All scenes in the order of the timeline.',
  revised: true,
  returns: presentationTimeline,
  permissions: ['timelines'],
  refuses: ['wrong-video-type'],
})

export const replacePresentationScenes = route({
  signature: 'PUT /videos/{id}/presentation-scenes',
  handler: 'videos/replace-presentation-scenes',
  summary: 'Replace the scenes of a presentation',
  description:
    'Replaces the whole timeline. Scenes are clamped to the transcript (or to the duration, without one), dropped where they end at ' +
    `or before their start, and sorted. A scene with a stored id keeps the fields that are left out. ${timelineItemRules}`,
  body: replacePresentationScenesRequest,
  bodyExample: [{ startMs: 0, endMs: 2_400, text: 'Calm mornings', template: 'heroTitle' }],
  arrayUnder: ['presentationScenes', 'scenes'],
  bodyBytesMax: timelineBytesMax,
  revised: true,
  returns: presentationTimeline,
  permissions: ['write', 'timelines', 'storeTimelines'],
  refuses: ['wrong-video-type', 'warning-source-not-ready', 'warning-plan-storage'],
})

export const recutPresentation = route({
  signature: 'POST /videos/{id}/presentation-scenes/recut',
  handler: 'videos/recut-presentation',
  summary: 'Generate the scenes of a presentation again from its transcript',
  description:
    'Replaces all scenes, edited ones as well. Costs credits. The same request on a video joins one that runs.',
  idempotent: true,
  waitSeconds: 25,
  returns: presentationTimeline,
  permissions: ['write', 'timelines', 'startPipeline'],
  refuses: [
    'wrong-video-type',
    'warning-source-not-ready',
    'warning-invalid-input',
    'warning-no-credits',
    'warning-plan-storage',
    'job-in-progress',
    'idempotency-in-progress',
  ],
})
