/** Automations and their clips. Sources: api.md, "Automations"; decisions.md 1, 3. */
import type { Rules } from './rule-table.ts'

export const automations = {
  'automations.create':
    'POST /automations takes a brief, flat or nested, with a prompt or a text, and queues a generation; 201.',
  'automations.create.charges': 'The first generation of a blueprint is charged like that of a video.',
  'automations.create.blockers':
    'A new one is active and has no destination; `health.blockers` tells what is missing, in words.',
  'automations.create.repeat': 'The same `Idempotency-Key` makes one automation.',
  'automations.get': 'GET /automations/{id} answers schedule, destination, health and source video.',
  'automations.get.video': 'A video that is no blueprint is a 404.',
  'automations.list': 'GET /automations is a page, newest first, without the source videos.',
  'automations.edit':
    'PATCH takes at least one of schedule, profileId, platforms, autoRefill, status; what is absent stays.',
  'automations.edit.daily': 'A daily frequency needs exactly as many `times` as slots.',
  'automations.edit.weekly': 'A weekly frequency needs the same count of day and time pairs.',
  'automations.edit.exclusive': 'Setting one of times and days clears the other.',
  'automations.edit.profile': 'A profile that is not one of the workspace is a 404.',
  'automations.edit.activate':
    'Activating with blockers is refused with a 409 `warning-publish-not-configured`, which names them.',
  'automations.edit.pause': 'Pausing takes the slot from the clip that waits; activating gives it the next one.',
  'automations.delete':
    'DELETE removes blueprint, clips and files and answers `{ ok, deletedClips, deletedBytes }`; a second call is a 404.',
  'automations.run':
    'POST .../run makes one clip at once, outside the timetable, and charges a generation; 201, process QUEUED.',
  'automations.run.repeat': 'The same `Idempotency-Key` makes and charges one clip.',
  'automations.run.blockers':
    'A blueprint that is not set up is refused with a 409 `warning-publish-not-configured`, which names the blockers.',
  'automations.promote':
    'POST /videos/{id}/promote takes `enabled` and answers the automation; `source.isAutomation` tells the outcome.',
  'automations.promote.not-ready': 'A video whose generation is not done is a `warning-source-not-ready`.',
  'automations.promote.limit': 'Beyond the plan it is a `warning-plan-automations`.',
  'automations.promote.clip': 'A clip is a 409 `warning-invalid-input`.',
  'automations.promote.again': 'The same `enabled` again changes nothing.',
  'automations.demote': 'A blueprint that is made a plain video is paused first: the clip that waits loses its slot.',
  'automations.health': 'GET .../health answers ready, blockers, the next slot and the next five.',
  'automations.health.recent': 'It also tells what became of the newest slots.',
} as const satisfies Rules
