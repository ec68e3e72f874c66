/** Publishing, the platforms and the profiles. Sources: api.md, "Endpoints"; decisions.md 1. */
import type { Rules } from './rule-table.ts'

export const publishing = {
  'publish.idempotent': 'POST /videos/{id}/publish takes an `Idempotency-Key`.',
  'publish.body': 'profileId, platforms and caption are all optional.',
  'publish.own-destination':
    "Without profile and platforms the video's own destination counts, for a clip its blueprint's.",
  'publish.default-caption': 'Without a caption `brief.description` is posted.',
  'publish.answer': 'It answers `{ videoId, platforms, missingPlatforms, publish }`.',
  'publish.missing-platforms': 'Platforms without an account are told and fail the call only where none is left.',
  'publish.plan': 'A plan that cannot publish is refused with `warning-plan-publish`.',
  'publish.not-rendered': 'A video without a render is refused with `warning-publish-not-configured`.',
  'publish.no-accounts': 'No connected platform: `warning-publish-no-accounts`.',
  'publish.expired': 'An expired authorization is `warning-publish-auth`, action connect.',
  'publish.waits': 'It waits up to 10 s (`Prefer: wait=N`, 0 to 25), then answers PROCESSING.',
  'publish.results': '`publish.results` tells account, platform, status, address and error of each post.',
  'platforms.list': 'GET /platforms answers the ten platforms, the same for every workspace.',
  'profiles.get': 'GET /profiles/{id} answers the profile with its accounts.',
  'profiles.refresh': '`refresh` true or 1 synchronizes the accounts first.',
  'profiles.list': 'GET /profiles lists the profiles.',
} as const satisfies Rules
