/** Routes: generating, rendering, converting, describing and publishing an existing video. */
import { describeVideoRequest, processVideoRequest, writeScriptRequest } from '../requests/jobs.ts'
import { publishVideoRequest } from '../requests/publishing.ts'
import { download, publication, video, videoDescription } from '../resources/index.ts'
import { route } from '../route.ts'

export const processVideo = route({
  signature: 'POST /videos/{id}/process',
  handler: 'videos/process',
  summary: 'Generate a video again from its current brief',
  description:
    'Generates only what changed. With `transcribe` the captions are generated again, else they stay. With `addBRolls`, b-roll ' +
    'segments without media get media, and segments that were not edited or that belong to other words are planned again; ' +
    'without it they stay.',
  status: 202,
  idempotent: true,
  body: processVideoRequest,
  bodyExample: { transcribe: true, addBRolls: true, render: true },
  returns: video,
  permissions: ['write'],
  refuses: [
    'job-in-progress',
    'warning-invalid-input',
    'warning-no-credits',
    'warning-plan-generations',
    'warning-plan-storage',
    'warning-plan-duration',
  ],
})

export const writeScript = route({
  signature: 'POST /videos/{id}/script',
  handler: 'videos/script',
  summary: 'Write a new script into the brief',
  description:
    'The script is stored in `brief.text`. An `inputMode` of `idea` becomes `auto`, so that the next generation speaks the script. ' +
    '`prompt` instructs the writer and is stored as `brief.scriptPrompt`. Sound, captions and render stay as they are.',
  status: 202,
  idempotent: true,
  body: writeScriptRequest,
  bodyExample: { prompt: 'Playful, and end with a question' },
  returns: video,
  permissions: ['write'],
  refuses: [
    'job-in-progress',
    'warning-invalid-input',
    'warning-no-credits',
    'warning-plan-generations',
    'warning-plan-storage',
  ],
})

export const renderVideo = route({
  signature: 'POST /videos/{id}/render',
  handler: 'videos/render',
  summary: 'Render the current state of a video',
  description:
    'The render shows the video as it is when the request is accepted. It is free of charge. `render` of the video reports the progress.',
  status: 202,
  idempotent: true,
  returns: video,
  permissions: ['write'],
  refuses: ['warning-source-not-ready', 'job-in-progress'],
})

export const downloadVideo = route({
  signature: 'GET /videos/{id}/download',
  handler: 'videos/download',
  summary: 'Get the download URL of the render',
  description: 'The scenes of an `ai` video are joined again first, where they changed after the last render.',
  waitSeconds: 25,
  returns: download,
  permissions: ['write', 'startPipeline'],
  refuses: ['warning-source-not-ready', 'job-in-progress', 'warning-plan-render-time', 'warning-plan-storage'],
})

export const convertVideo = route({
  signature: 'POST /videos/{id}/convert',
  handler: 'videos/convert',
  summary: 'Convert a finished ai video into a source video with captions and b-roll segments; irreversible',
  description: 'The video gets the type `video`, its render becomes the source, and its scenes become b-roll segments.',
  status: 202,
  idempotent: true,
  returns: video,
  permissions: ['write'],
  refuses: ['already-converted', 'warning-source-not-ready', 'job-in-progress'],
})

export const describeVideo = route({
  signature: 'POST /videos/{id}/description',
  handler: 'videos/describe',
  summary: 'Write the caption for publishing the video',
  description: 'The caption is stored as `brief.description`, the default caption of a publication.',
  idempotent: true,
  waitSeconds: 25,
  body: describeVideoRequest,
  bodyExample: { prompt: 'Friendly, with a question at the end' },
  returns: videoDescription,
  permissions: ['write', 'startPipeline'],
  refuses: ['warning-no-credits', 'job-in-progress', 'idempotency-in-progress'],
})

export const publishVideo = route({
  signature: 'POST /videos/{id}/publish',
  handler: 'videos/publish',
  summary: 'Publish the render of a video to connected accounts',
  description:
    'Defaults: the profile and platforms of the last publication, or of the blueprint for a clip; the caption is ' +
    '`brief.description`. Platforms without an account are listed in `missingPlatforms`, those with an expired account in ' +
    '`publish.unhealthyPlatforms`; the call fails only if no platform is left. A post is made at most once: if a platform does not ' +
    'confirm it, its result is `publish-outcome-unknown`. The same caption cannot be posted to the same account twice within 24 hours.',
  idempotent: true,
  waitSeconds: 10,
  body: publishVideoRequest,
  bodyExample: {
    profileId: 'prf_01kbexample',
    platforms: ['tiktok', 'youtube', 'instagram'],
    caption: 'Calm mornings begin in the evening.',
  },
  returns: publication,
  permissions: ['write', 'startPipeline'],
  refuses: [
    'warning-plan-publish',
    'warning-publish-not-configured',
    'warning-publish-no-accounts',
    'warning-publish-auth',
    'warning-publish-duplicate',
    'job-in-progress',
    'limit-reached',
  ],
})
