/** What other issues will build, so that nothing of the specification is forgotten. Sources: api.md, "Endpoints"; decisions.md 1. */
import { forAutomations, forPublishing, type Rules } from './rule-kinds.ts'

export const publishing = {
  'publish.idempotent': forPublishing('POST /videos/{id}/publish takes an `Idempotency-Key`.'),
  'publish.body': forPublishing('profileId, platforms and caption are all optional.'),
  'publish.own-destination': forPublishing(
    "Without profile and platforms the video's own destination counts, for a clip its blueprint's.",
  ),
  'publish.default-caption': forPublishing('Without a caption `brief.description` is posted.'),
  'publish.answer': forPublishing('It answers `{ videoId, platforms, missingPlatforms, publish }`.'),
  'publish.missing-platforms': forPublishing(
    'Platforms without an account are told and fail the call only where none is left.',
  ),
  'publish.plan': forPublishing('A plan that cannot publish is refused with `warning-plan-publish`.'),
  'publish.not-rendered': forPublishing('A video without a render is refused with `warning-publish-not-configured`.'),
  'publish.no-accounts': forPublishing('No connected platform: `warning-publish-no-accounts`.'),
  'publish.expired': forPublishing('An expired authorization is `warning-publish-auth`, action connect.'),
  'publish.waits': forPublishing('It waits up to 10 s (`Prefer: wait=N`, 0 to 25), then answers PROCESSING.'),
  'publish.results': forPublishing(
    '`publish.results` tells account, platform, status, address and error of each post.',
  ),
  'platforms.list': 'GET /platforms answers the ten platforms, the same for every workspace.',
  'profiles.get': forPublishing('GET /profiles/{id} answers the profile with its accounts.'),
  'profiles.refresh': forPublishing('`refresh` true or 1 synchronizes the accounts first.'),
  'profiles.list': forPublishing('GET /profiles lists the profiles.'),
} as const satisfies Rules

export const automations = {
  'automations.create': forAutomations(
    'POST /automations takes a brief, flat or nested, with a prompt or a text, and queues a generation.',
  ),
  'automations.create.blockers': forAutomations(
    'A new blueprint has no destination; `health.blockers` tells what is missing.',
  ),
  'automations.get': forAutomations('GET /automations/{id} answers schedule, destination, health and source video.'),
  'automations.list': forAutomations('GET /automations is a page.'),
  'automations.edit': forAutomations('PATCH takes at least one of schedule, profileId, platforms, autoRefill, status.'),
  'automations.edit.daily': forAutomations('A daily frequency needs exactly as many `times` as slots.'),
  'automations.edit.weekly': forAutomations('A weekly frequency needs the same count of day and time pairs.'),
  'automations.edit.exclusive': forAutomations('Setting one of times and days clears the other.'),
  'automations.edit.activate': forAutomations(
    'Activating with blockers is refused with `warning-publish-not-configured`, which names them.',
  ),
  'automations.delete': forAutomations(
    'DELETE removes blueprint, clips and files and answers `{ ok, deletedClips, deletedBytes }`.',
  ),
  'automations.run': forAutomations(
    'POST .../run takes an `Idempotency-Key`, makes one clip at once and charges; 201.',
  ),
  'automations.run.blockers': forAutomations(
    'A blueprint that is not set up is refused with `warning-publish-not-configured`.',
  ),
  'automations.promote': forAutomations('POST /videos/{id}/promote takes `enabled` and answers the automation.'),
  'automations.promote.not-ready': forAutomations(
    'A video whose generation is not done is a `warning-source-not-ready`.',
  ),
  'automations.promote.limit': forAutomations('Beyond the plan it is a `warning-plan-automations`.'),
  'automations.promote.clip': forAutomations('A clip is a 409 `warning-invalid-input`.'),
  'automations.promote.again': forAutomations('The same `enabled` again changes nothing.'),
  'automations.health': forAutomations('GET .../health answers ready, blockers, the next slot and the next five.'),
} as const satisfies Rules
