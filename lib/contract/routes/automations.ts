/** Routes: automations, which create and publish clips of a blueprint on a schedule. */

import { listOf } from '../../domain/core/bounded.ts'
import { editAutomationRequest, listAutomationsQuery, promoteVideoRequest } from '../requests/automations.ts'
import { briefSchema, createAutomationRequest } from '../requests/videos.ts'
import { automation, automationHealth, automationItem } from '../resources/automations.ts'
import { deletion, video } from '../resources/index.ts'
import { route } from '../route.ts'
import { pageLimitMax, requiresOneOf } from '../schemas.ts'

export const createAutomation = route({
  signature: 'POST /automations',
  handler: 'automations/create',
  summary: 'Create an automation from the brief of its blueprint',
  description:
    'Takes the same brief as `POST /videos`. The first generation of the blueprint is queued and charged at once. The automation is ' +
    'active, and `health.blockers` lists what it still needs. The default schedule is daily at 09:00 UTC.',
  status: 201,
  idempotent: true,
  body: createAutomationRequest,
  bodySchema: briefSchema,
  bodyExample: { prompt: 'One small habit that makes mornings calm', voiceId: 'en-clara' },
  nestedUnder: 'brief',
  returns: automation,
  permissions: ['write', 'voices'],
  refuses: [
    'warning-plan-automations',
    'warning-no-credits',
    'warning-plan-generations',
    'warning-plan-storage',
    'warning-plan-duration',
  ],
})

export const listAutomations = route({
  signature: 'GET /automations',
  handler: 'automations/list',
  summary: 'List automations, newest first',
  description: 'The health of each automation is included, its blueprint is not.',
  query: listAutomationsQuery,
  paged: true,
  returns: listOf(automationItem, pageLimitMax),
})

export const getAutomation = route({
  signature: 'GET /automations/{id}',
  handler: 'automations/get',
  summary: 'Get an automation with its schedule, destination, health and blueprint',
  description: '`source` is the blueprint, a video.',
  returns: automation,
})

export const editAutomation = route({
  signature: 'PATCH /automations/{id}',
  handler: 'automations/edit',
  summary: 'Edit the schedule, destination, refill or status of an automation',
  description:
    'At least one field is required. Other keys are ignored, and absent fields stay as they are. `schedule` is replaced as a whole: a ' +
    'daily frequency needs one item of `times` per slot, a weekly one needs one item of `days` per slot, and the other list is ' +
    'emptied. `active` is refused while a blocker remains after the edit. `paused` releases the slot of the waiting clip.',
  body: editAutomationRequest,
  bodySchema: requiresOneOf('schedule', 'profileId', 'platforms', 'autoRefill', 'status'),
  bodyExample: {
    schedule: {
      frequency: 'twice-daily',
      timezone: 'Europe/Berlin',
      times: [{ time: '09:00' }, { time: '18:30', mode: 'random' }],
    },
    platforms: ['tiktok', 'youtube'],
    autoRefill: true,
  },
  returns: automation,
  permissions: ['write'],
  refuses: ['warning-publish-not-configured'],
})

export const deleteAutomation = route({
  signature: 'DELETE /automations/{id}',
  handler: 'automations/delete',
  summary: 'Delete an automation with its blueprint, its clips and all their files; irreversible',
  description: 'Queued slots are cancelled. A second call is refused with 404.',
  returns: deletion,
  permissions: ['write'],
})

export const runAutomation = route({
  signature: 'POST /automations/{id}/run',
  handler: 'automations/run',
  summary: 'Create and publish one clip now, outside the schedule',
  description:
    'The clip is generated, rendered and published at once, to the destination of the automation. Slots of the schedule stay as they are.',
  status: 201,
  idempotent: true,
  returns: video,
  permissions: ['write'],
  refuses: ['warning-publish-not-configured', 'warning-source-not-ready', 'warning-invalid-input'],
})

export const getAutomationHealth = route({
  signature: 'GET /automations/{id}/health',
  handler: 'automations/health',
  summary: 'Get the blockers, the next slots and the latest slot outcomes of an automation',
  description: 'A blocker is a precondition that is missing. While one remains, slots create and publish nothing.',
  returns: automationHealth,
})

export const promoteVideo = route({
  signature: 'POST /videos/{id}/promote',
  handler: 'videos/promote',
  summary: 'Turn a video into the blueprint of an automation, or back into a plain video',
  description:
    '`enabled: true` turns a generated video into a blueprint. `enabled: false` turns it back into a plain video: the automation is ' +
    'paused, and the waiting clip loses its slot. The call has no effect where the video already is what is requested.',
  body: promoteVideoRequest,
  bodyExample: { enabled: true },
  returns: automation,
  permissions: ['write'],
  refuses: ['warning-source-not-ready', 'warning-plan-automations', 'warning-invalid-input'],
})
