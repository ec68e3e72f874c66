/** Routes: videos, their clips and their theme config. */

import { listOf } from '../../domain/core/bounded.ts'
import { themeConfig } from '../../domain/records/theme.ts'
import { createClipRequest, listClipsQuery } from '../requests/jobs.ts'
import {
  briefSchema,
  createVideoRequest,
  editVideoRequest,
  getVideoQuery,
  includable,
  listVideosQuery,
  mergeConfigRequest,
} from '../requests/videos.ts'
import { deletion, video, videoItem } from '../resources/index.ts'
import { route } from '../route.ts'
import { pageLimitMax } from '../schemas.ts'

export const createVideo = route({
  signature: 'POST /videos',
  handler: 'videos/create',
  summary: 'Generate a video from a brief',
  description:
    'Requires a non-blank `prompt` or `text`: `text` with inputMode `script`, `prompt` with `idea`. `voiceProvider` must be the ' +
    'provider of `voiceId`. Unknown keys are ignored, so that a video from a response can be sent back.',
  status: 201,
  idempotent: true,
  body: createVideoRequest,
  bodySchema: briefSchema,
  bodyExample: {
    prompt: 'Three small habits that make mornings calm',
    voiceId: 'en-clara',
    process: { render: true },
  },
  nestedUnder: 'brief',
  returns: video,
  permissions: ['write', 'voices'],
  refuses: ['warning-no-credits', 'warning-plan-generations', 'warning-plan-storage', 'warning-plan-duration'],
})

export const listVideos = route({
  signature: 'GET /videos',
  handler: 'videos/list',
  summary: 'List videos, newest activity first',
  description: 'The items have no timelines, no theme config, no presenter and no assets.',
  query: listVideosQuery,
  parameters: {
    type: { description: 'Only videos of this type. Unknown values are ignored.' },
    subType: { description: 'Only videos of this subtype, matched exactly.' },
    status: { description: 'Only videos with this status. Unknown values are ignored.' },
    search: { description: 'Part of the title, case-insensitive.' },
  },
  paged: true,
  returns: listOf(videoItem, pageLimitMax),
  permissions: ['videoIndex'],
})

export const getVideo = route({
  signature: 'GET /videos/{id}',
  handler: 'videos/get',
  summary: 'Get a video',
  description: 'Timelines and the script are included on request only: `include=captions,bRolls`.',
  query: getVideoQuery,
  parameters: {
    include: {
      description: 'Timelines to include, and `script`, separated by commas. Unknown names are ignored.',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: includable }, maxItems: includable.length },
    },
  },
  revised: true,
  returns: video,
  permissions: ['timelines', 'scripts'],
})

export const editVideo = route({
  signature: 'PATCH /videos/{id}',
  handler: 'videos/edit',
  summary: 'Edit the title and the editable fields of the brief',
  description: 'Queues no job. `POST /videos/{id}/process` generates the video again from the edited brief.',
  body: editVideoRequest,
  bodyExample: { title: 'Quiet mornings' },
  nestedUnder: 'brief',
  revised: true,
  returns: video,
  permissions: ['write', 'voices'],
})

export const deleteVideo = route({
  signature: 'DELETE /videos/{id}',
  handler: 'videos/delete',
  summary: 'Delete a video, its clips and all their files; irreversible',
  description: 'Running jobs are stopped. A second call is refused with 404.',
  returns: deletion,
  permissions: ['write'],
})

export const listClips = route({
  signature: 'GET /videos/{id}/clips',
  handler: 'videos/list-clips',
  summary: 'List the clips and variations of a video, newest first',
  description: 'Videos whose `parentVideoId` is this one.',
  query: listClipsQuery,
  paged: true,
  returns: listOf(videoItem, pageLimitMax),
})

export const createClip = route({
  signature: 'POST /videos/{id}/clips',
  handler: 'videos/create-clip',
  summary: 'Create a clip or a variation of a video',
  description:
    'A clip shows what its source shows now and is free of charge. With `regenerate` it is a variation: script and visuals are ' +
    'generated again, at the price of a generation; not available for uploaded videos. `render` queues a render when the clip is ready.',
  status: 201,
  idempotent: true,
  body: createClipRequest,
  bodyExample: { regenerate: true, render: true },
  returns: video,
  permissions: ['write'],
  refuses: [
    'warning-source-not-ready',
    'warning-invalid-input',
    'warning-no-credits',
    'warning-plan-generations',
    'warning-plan-storage',
    'warning-plan-duration',
  ],
})

export const getConfig = route({
  signature: 'GET /videos/{id}/config',
  handler: 'videos/get-config',
  summary: 'Get the stored theme config',
  description: 'Keys that were never set are absent.',
  revised: true,
  returns: themeConfig,
})

export const mergeConfig = route({
  signature: 'PATCH /videos/{id}/config',
  handler: 'videos/merge-config',
  summary: 'Merge keys into the theme config',
  description:
    'Keys that are absent stay as they are; unknown keys are dropped. At least one known key is required. The next render shows the change.',
  body: mergeConfigRequest,
  bodyExample: { captionsFontSize: 64 },
  nestedUnder: 'config',
  revised: true,
  returns: themeConfig,
  permissions: ['write'],
})

export const resetConfig = route({
  signature: 'DELETE /videos/{id}/config',
  handler: 'videos/reset-config',
  summary: 'Reset the theme config to the editor defaults',
  description: 'Stores the defaults of the editor and removes all other keys.',
  revised: true,
  returns: themeConfig,
  permissions: ['write'],
})
