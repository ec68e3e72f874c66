/**
 * THE TABLE: every route of the service, one export each. It drives the CDK routes, the local server, validation, the
 * OpenAPI document, `docs/routes.md` and the generated tests; there is no second list.
 */
import * as v from 'valibot'
import { bRoll } from '../domain/generation/b-rolls.ts'
import { presentationScene } from '../domain/generation/scenes/presentation-scenes.ts'
import { scene } from '../domain/generation/scenes/scenes.ts'
import { themeConfig } from '../domain/records/theme.ts'
import { editAutomationRequest, listAutomationsQuery, promoteVideoRequest } from './requests/automations.ts'
import { mergeConfigRequest } from './requests/config.ts'
import { beginConnectionRequest } from './requests/connections.ts'
import { createClipRequest, listClipsQuery, processVideoRequest, writeScriptRequest } from './requests/jobs.ts'
import { makePresenterRequest } from './requests/presenter.ts'
import { getProfileQuery, listProfilesQuery } from './requests/profiles.ts'
import { publishVideoRequest } from './requests/publishing.ts'
import { drawSceneImageRequest } from './requests/scene-image.ts'
import { addSceneRequest, editSceneRequest } from './requests/scenes.ts'
import {
  replaceBRollsRequest,
  replaceCaptionsRequest,
  replacePresentationScenesRequest,
  timelineBytesMax,
} from './requests/timelines.ts'
import { createUploadRequest } from './requests/uploads.ts'
import {
  createAutomationRequest,
  createVideoRequest,
  describeVideoRequest,
  editVideoRequest,
  getVideoQuery,
  listVideosQuery,
} from './requests/videos.ts'
import { listVoicesQuery } from './requests/voices.ts'
import {
  createWebhookRequest,
  editWebhookRequest,
  listDeliveriesQuery,
  listWebhooksQuery,
} from './requests/webhooks.ts'
import { automation, automationHealth, automationItem } from './resources/automations.ts'
import { connection } from './resources/connections.ts'
import {
  account,
  captions,
  deletion,
  download,
  newUpload,
  platform,
  publication,
  removal,
  upload,
  video,
  videoDescription,
  videoItem,
  voice,
} from './resources/index.ts'
import { profile } from './resources/profiles.ts'
import { delivery, newWebhook, webhook, webhookRemoval, webhookTest } from './resources/webhooks.ts'
import { route } from './route.ts'

export const getAccount = route({
  signature: 'GET /',
  handler: 'account/get',
  summary: 'Plan, credits and limits of the workspace: the cheapest way to verify a key',
  returns: account,
})

export const listVoices = route({
  signature: 'GET /voices',
  handler: 'voices/list',
  tag: 'publishing',
  summary: 'Every voice that a brief can name',
  query: listVoicesQuery,
  returns: v.array(voice),
  permissions: ['voices', 'previews'],
})

export const listPlatforms = route({
  signature: 'GET /platforms',
  handler: 'platforms/list',
  tag: 'publishing',
  summary: 'The social platforms',
  returns: v.array(platform),
})

export const listProfiles = route({
  signature: 'GET /profiles',
  handler: 'profiles/list',
  summary: 'The profiles of the workspace with their accounts, the default one first',
  query: listProfilesQuery,
  paged: true,
  returns: v.array(profile),
})

export const getProfile = route({
  signature: 'GET /profiles/{id}',
  handler: 'profiles/get',
  summary: 'One profile with its accounts',
  query: getProfileQuery,
  returns: profile,
  permissions: ['connect'],
})

export const createVideo = route({
  signature: 'POST /videos',
  handler: 'videos/create',
  summary: 'Generate a video from a brief',
  status: 201,
  idempotent: true,
  body: createVideoRequest,
  nestedUnder: 'brief',
  returns: video,
  permissions: ['write', 'voices'],
})

export const createAutomation = route({
  signature: 'POST /automations',
  handler: 'automations/create',
  summary: 'Make an automation from the brief of its blueprint',
  status: 201,
  idempotent: true,
  body: createAutomationRequest,
  nestedUnder: 'brief',
  returns: automation,
  permissions: ['write', 'voices'],
})

export const listAutomations = route({
  signature: 'GET /automations',
  handler: 'automations/list',
  summary: 'A page of the automations, newest first',
  query: listAutomationsQuery,
  paged: true,
  returns: v.array(automationItem),
})

export const getAutomation = route({
  signature: 'GET /automations/{id}',
  handler: 'automations/get',
  summary: 'One automation with its schedule, destination, health and blueprint',
  returns: automation,
})

export const editAutomation = route({
  signature: 'PATCH /automations/{id}',
  handler: 'automations/edit',
  summary: 'Edit the timetable, the destination, the refill or the state of an automation',
  body: editAutomationRequest,
  returns: automation,
  permissions: ['write'],
})

export const deleteAutomation = route({
  signature: 'DELETE /automations/{id}',
  handler: 'automations/delete',
  summary: 'Delete an automation with its blueprint, its clips and all their files; irreversible',
  returns: deletion,
  permissions: ['write'],
})

export const runAutomation = route({
  signature: 'POST /automations/{id}/run',
  handler: 'automations/run',
  summary: 'Make and publish one clip at once, outside the timetable',
  status: 201,
  idempotent: true,
  returns: video,
  permissions: ['write'],
})

export const getAutomationHealth = route({
  signature: 'GET /automations/{id}/health',
  handler: 'automations/health',
  summary: 'What an automation still needs, its next slots, and what became of the newest ones',
  returns: automationHealth,
})

export const listVideos = route({
  signature: 'GET /videos',
  handler: 'videos/list',
  summary: 'A page of videos, newest activity first',
  query: listVideosQuery,
  paged: true,
  returns: v.array(videoItem),
  permissions: ['videoIndex'],
})

export const getVideo = route({
  signature: 'GET /videos/{id}',
  handler: 'videos/get',
  summary: 'One video, with the heavy arrays that `include` names',
  query: getVideoQuery,
  returns: video,
  permissions: ['timelines'],
})

export const editVideo = route({
  signature: 'PATCH /videos/{id}',
  handler: 'videos/edit',
  summary: 'Edit the title and the editable fields of the brief; nothing is requeued',
  body: editVideoRequest,
  nestedUnder: 'brief',
  returns: video,
  permissions: ['write', 'voices'],
})

export const deleteVideo = route({
  signature: 'DELETE /videos/{id}',
  handler: 'videos/delete',
  summary: 'Delete a video, everything made from it and all their files; irreversible',
  returns: deletion,
  permissions: ['write'],
})

export const listClips = route({
  signature: 'GET /videos/{id}/clips',
  handler: 'videos/list-clips',
  summary: 'A page of the clips and variations of a video, newest first',
  query: listClipsQuery,
  paged: true,
  returns: v.array(videoItem),
})

export const createClip = route({
  signature: 'POST /videos/{id}/clips',
  handler: 'videos/create-clip',
  summary: 'Make a clip that shows what a video shows, or a variation of it',
  status: 201,
  idempotent: true,
  body: createClipRequest,
  returns: video,
  permissions: ['write'],
})

export const describeVideo = route({
  signature: 'POST /videos/{id}/description',
  handler: 'videos/describe',
  summary: 'Write the caption that is posted with the video',
  idempotent: true,
  body: describeVideoRequest,
  returns: videoDescription,
  permissions: ['write', 'startPipeline'],
})

export const beginConnection = route({
  signature: 'POST /profiles/{id}/connections',
  handler: 'connections/begin',
  summary: 'An address at which a user connects an account of a platform to a profile, within ten minutes',
  status: 201,
  body: beginConnectionRequest,
  returns: connection,
  permissions: ['sealConsent'],
})

export const finishConnection = route({
  signature: 'GET /connections/{platform}/callback',
  handler: 'connections/finish',
  summary: 'Where platforms send users back to: a page that says whether the account is connected, or asks which one',
  isPublic: true,
  returns: v.string(),
  permissions: ['unsealConsent', 'sealConsent', 'connect'],
})

export const publishVideo = route({
  signature: 'POST /videos/{id}/publish',
  handler: 'videos/publish',
  summary: 'Post the film of a video to connected accounts',
  idempotent: true,
  waitSeconds: 10,
  body: publishVideoRequest,
  returns: publication,
  permissions: ['write', 'startPipeline'],
})

export const promoteVideo = route({
  signature: 'POST /videos/{id}/promote',
  handler: 'videos/promote',
  summary: 'Make a video the blueprint of an automation, or a plain video again',
  body: promoteVideoRequest,
  returns: automation,
  permissions: ['write'],
})

export const replaceCaptions = route({
  signature: 'PUT /videos/{id}/captions',
  handler: 'videos/replace-captions',
  summary: 'Replace the caption words, the caption pages or both',
  body: replaceCaptionsRequest,
  bodyBytesMax: timelineBytesMax,
  returns: captions,
  permissions: ['write', 'timelines', 'storeTimelines'],
})

export const replaceBRolls = route({
  signature: 'PUT /videos/{id}/brolls',
  handler: 'videos/replace-brolls',
  summary: 'Replace the b-roll segments; media is not fetched by it',
  body: replaceBRollsRequest,
  arrayUnder: ['bRolls'],
  bodyBytesMax: timelineBytesMax,
  returns: v.array(bRoll),
  permissions: ['write', 'timelines', 'storeTimelines'],
})

export const makePresenter = route({
  signature: 'POST /videos/{id}/brolls/{brollId}/presenter',
  handler: 'videos/make-presenter',
  summary: 'Have a portrait speak the narration of a b-roll segment, and show it there',
  idempotent: true,
  body: makePresenterRequest,
  returns: bRoll,
  permissions: ['write', 'timelines', 'startPipeline'],
})

export const listPresentationScenes = route({
  signature: 'GET /videos/{id}/presentation-scenes',
  handler: 'videos/list-presentation-scenes',
  summary: 'The scenes of a presentation',
  returns: v.array(presentationScene),
  permissions: ['timelines'],
})

export const replacePresentationScenes = route({
  signature: 'PUT /videos/{id}/presentation-scenes',
  handler: 'videos/replace-presentation-scenes',
  summary: 'Replace the scenes of a presentation',
  body: replacePresentationScenesRequest,
  arrayUnder: ['presentationScenes', 'scenes'],
  bodyBytesMax: timelineBytesMax,
  returns: v.array(presentationScene),
  permissions: ['write', 'timelines', 'storeTimelines'],
})

export const recutPresentation = route({
  signature: 'POST /videos/{id}/presentation-scenes/recut',
  handler: 'videos/recut-presentation',
  summary: 'Cut the presentation anew from its transcript',
  idempotent: true,
  returns: v.array(presentationScene),
  permissions: ['write', 'timelines', 'startPipeline'],
})

export const addScene = route({
  signature: 'POST /videos/{id}/scenes',
  handler: 'videos/add-scene',
  summary: 'Add an empty scene to an ai video; clears the stitched render',
  status: 201,
  body: addSceneRequest,
  returns: scene,
  permissions: ['write', 'timelines', 'storeTimelines'],
})

export const editScene = route({
  signature: 'PATCH /videos/{id}/scenes/{sceneId}',
  handler: 'videos/edit-scene',
  summary: "Edit a scene of an ai video; clears the scene's clip and the stitched render",
  body: editSceneRequest,
  returns: scene,
  permissions: ['write', 'timelines', 'storeTimelines'],
})

export const removeScene = route({
  signature: 'DELETE /videos/{id}/scenes/{sceneId}',
  handler: 'videos/remove-scene',
  summary: 'Remove a scene of an ai video; clears the stitched render',
  returns: removal,
  permissions: ['write', 'timelines', 'storeTimelines'],
})

export const drawSceneImage = route({
  signature: 'POST /videos/{id}/scenes/{sceneId}/image',
  handler: 'videos/draw-scene-image',
  summary: "Draw a new still of a scene; clears the scene's clip and the stitched render",
  body: drawSceneImageRequest,
  returns: scene,
  permissions: ['write', 'timelines', 'startPipeline'],
})

export const getConfig = route({
  signature: 'GET /videos/{id}/config',
  handler: 'videos/get-config',
  summary: 'The theme config as it is stored',
  returns: themeConfig,
})

export const mergeConfig = route({
  signature: 'PATCH /videos/{id}/config',
  handler: 'videos/merge-config',
  summary: 'Merge keys into the theme config',
  body: mergeConfigRequest,
  nestedUnder: 'config',
  returns: themeConfig,
  permissions: ['write'],
})

export const resetConfig = route({
  signature: 'DELETE /videos/{id}/config',
  handler: 'videos/reset-config',
  summary: 'Replace the theme config by the editor defaults',
  returns: themeConfig,
  permissions: ['write'],
})

export const processVideo = route({
  signature: 'POST /videos/{id}/process',
  handler: 'videos/process',
  summary: 'Generate a video again from its brief as it is now',
  status: 202,
  idempotent: true,
  body: processVideoRequest,
  returns: video,
  permissions: ['write'],
})

export const writeScript = route({
  signature: 'POST /videos/{id}/script',
  handler: 'videos/script',
  summary: 'Write a new script into the brief',
  status: 202,
  idempotent: true,
  body: writeScriptRequest,
  returns: video,
  permissions: ['write'],
})

export const renderVideo = route({
  signature: 'POST /videos/{id}/render',
  handler: 'videos/render',
  summary: 'Render what the video shows now',
  status: 202,
  idempotent: true,
  returns: video,
  permissions: ['write'],
})

export const downloadVideo = route({
  signature: 'GET /videos/{id}/download',
  handler: 'videos/download',
  summary: 'Where the film can be fetched; an ai video is stitched again where that is needed',
  returns: download,
  permissions: ['write', 'startPipeline'],
})

export const convertVideo = route({
  signature: 'POST /videos/{id}/convert',
  handler: 'videos/convert',
  summary: 'Turn a finished ai video into a source video with captions and b-roll segments; one-way',
  status: 202,
  idempotent: true,
  returns: video,
  permissions: ['write'],
})

export const createUpload = route({
  signature: 'POST /uploads',
  handler: 'uploads/create',
  summary: 'Tell of a source file, and learn where to put it; its arrival makes a video',
  status: 201,
  body: createUploadRequest,
  returns: newUpload,
  permissions: ['write', 'upload'],
})

export const getUpload = route({
  signature: 'GET /uploads/{id}',
  handler: 'uploads/get',
  summary: 'Whether the file of an upload has come, and which video it became',
  returns: upload,
  permissions: ['write', 'receive'],
})

export const createWebhook = route({
  signature: 'POST /webhooks',
  handler: 'webhooks/create',
  summary: 'Have events posted to an address; this answer alone tells the secret that signs them',
  status: 201,
  body: createWebhookRequest,
  returns: newWebhook,
  permissions: ['write', 'seal'],
})

export const listWebhooks = route({
  signature: 'GET /webhooks',
  handler: 'webhooks/list',
  summary: 'The webhook endpoints of the workspace, newest first',
  query: listWebhooksQuery,
  returns: v.array(webhook),
  paged: true,
})

export const getWebhook = route({
  signature: 'GET /webhooks/{id}',
  handler: 'webhooks/get',
  summary: 'One webhook endpoint',
  returns: webhook,
})

export const editWebhook = route({
  signature: 'PATCH /webhooks/{id}',
  handler: 'webhooks/edit',
  summary: 'Edit a webhook endpoint, disable it or enable it again',
  body: editWebhookRequest,
  returns: webhook,
  permissions: ['write'],
})

export const deleteWebhook = route({
  signature: 'DELETE /webhooks/{id}',
  handler: 'webhooks/delete',
  summary: 'Delete a webhook endpoint and drop what is queued for it',
  returns: webhookRemoval,
  permissions: ['write'],
})

export const testWebhook = route({
  signature: 'POST /webhooks/{id}/test',
  handler: 'webhooks/test',
  summary: 'Post a signed test payload to an endpoint, and tell how it was received',
  returns: webhookTest,
  permissions: ['unseal'],
})

export const listDeliveries = route({
  signature: 'GET /webhooks/deliveries',
  handler: 'webhooks/list-deliveries',
  summary: 'What was sent to all endpoints in the last seven days, newest first',
  query: listDeliveriesQuery,
  returns: v.array(delivery),
  paged: true,
})

export const resendDelivery = route({
  signature: 'POST /webhooks/deliveries/{id}/resend',
  handler: 'webhooks/resend-delivery',
  summary: 'Queue the payload of a delivery again, as a new delivery',
  status: 201,
  returns: delivery,
  permissions: ['write'],
})
