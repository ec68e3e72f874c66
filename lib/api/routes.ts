/**
 * THE TABLE: every route of the service, one export each. It drives the CDK routes, the local server, validation, the
 * OpenAPI document, `docs/routes.md` and the generated tests; there is no second list.
 */
import * as v from 'valibot'
import { themeConfig } from '../domain/theme.ts'
import { mergeConfigRequest } from './requests/config.ts'
import { createVideoRequest, editVideoRequest, getVideoQuery, listVideosQuery } from './requests/videos.ts'
import { voicesQuery } from './requests/voices.ts'
import { account, platform, video, videoItem, voice } from './resources.ts'
import { route } from './route.ts'

export const getAccount = route({
  signature: 'GET /',
  handler: 'account/get',
  summary: 'Plan, credits and limits of the workspace: the cheapest way to verify a key',
  returns: account,
})

export const listVoices = route({
  signature: 'GET /voices',
  handler: 'publishing/list-voices',
  summary: 'Every voice that a brief can name',
  query: voicesQuery,
  returns: v.array(voice),
})

export const listPlatforms = route({
  signature: 'GET /platforms',
  handler: 'publishing/list-platforms',
  summary: 'The social platforms',
  returns: v.array(platform),
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
  uses: ['write'],
})

export const listVideos = route({
  signature: 'GET /videos',
  handler: 'videos/list',
  summary: 'A page of videos, newest activity first',
  query: listVideosQuery,
  paged: true,
  returns: v.array(videoItem),
})

export const getVideo = route({
  signature: 'GET /videos/{id}',
  handler: 'videos/get',
  summary: 'One video, with the heavy arrays that `include` names',
  query: getVideoQuery,
  returns: video,
  uses: ['timelines'],
})

export const editVideo = route({
  signature: 'PATCH /videos/{id}',
  handler: 'videos/edit',
  summary: 'Edit the title and the editable fields of the brief; nothing is requeued',
  body: editVideoRequest,
  nestedUnder: 'brief',
  returns: video,
  uses: ['write'],
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
  uses: ['write'],
})

export const resetConfig = route({
  signature: 'DELETE /videos/{id}/config',
  handler: 'videos/reset-config',
  summary: 'Replace the theme config by the editor defaults',
  returns: themeConfig,
  uses: ['write'],
})

export const renderVideo = route({
  signature: 'POST /videos/{id}/render',
  handler: 'videos/render',
  summary: 'Render what the video shows now',
  status: 202,
  idempotent: true,
  returns: video,
  uses: ['write'],
})
