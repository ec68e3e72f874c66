/** Actions on a video: process, render, script, description, download, uploads. Sources: api.md, "Endpoints"; decisions.md 1 and 4. */
import type { Rules } from './rule-table.ts'

export const jobs = {
  'process.idempotent':
    'POST /videos/{id}/process takes an `Idempotency-Key` and `transcribe`, `addBRolls`, `render`, all optional.',
  'process.requeues': 'It queues the generation again and answers 202 with the video.',
  'process.in-progress': 'While one runs, from QUEUED on, it is a 409 `job-in-progress`.',
  'render.idempotent': 'POST /videos/{id}/render takes an `Idempotency-Key` and no body.',
  'render.requeues': 'It queues the render and answers 202 with the video.',
  'render.not-ready': 'Where nothing was generated yet it is a 409 `warning-source-not-ready`.',
  'render.in-progress': 'While one runs, from QUEUED on, it is a 409 `job-in-progress`.',
  'render.free': 'A render costs no credits.',
  'script.idempotent': 'POST /videos/{id}/script takes an `Idempotency-Key` and an optional `prompt`.',
  'script.queued': 'It answers 202 with process QUEUED; the result lands in `brief.text`.',
  'script.price': 'It costs a generation.',
  'description.idempotent': 'POST /videos/{id}/description takes an `Idempotency-Key`.',
  'description.prompt': 'An optional `prompt` is kept as `descriptionPrompt` and used again.',
  'description.answer': 'It runs while the call waits and answers `{ videoId, description }`.',
  'description.stored': 'The result is stored as `brief.description`.',
  'description.price': "It charges one generation's credits: 10.",
  'download.answer': 'GET /videos/{id}/download answers `{ url, expiresAt, bytes, contentType }`.',
  'download.not-ready': 'Without a render, and not `ai`, it is a 409 `warning-source-not-ready`.',
  'download.ai': 'An `ai` video is stitched again where it has to be, and the address always resolves.',
  'download.waits': 'It waits for a stitch up to 25 s, then it is a 503 `unavailable` with `Retry-After`.',
} as const satisfies Rules

export const uploads = {
  'uploads.create.answer':
    'POST /uploads answers 201 with where and how to PUT the bytes, status waiting and no video yet.',
  'uploads.create.quota': 'The declared size is held against the quota, and the real one on arrival.',
  'uploads.arrival': 'The bytes that arrive make a video of type `video`, process QUEUED, and `video.created`.',
  'uploads.get': 'GET /uploads/{id} tells waiting, received or failed, and the video.',
} as const satisfies Rules

export const voices = {
  'voices.list.shape': 'GET /voices answers id, name, provider, language, gender and a preview clip of each voice.',
  'voices.list.complete':
    'It names every voice that a brief can name, with the `provider` that `voiceProvider` expects.',
  'voices.list.filters': '`provider` and `language` select.',
  'voices.list.preview': 'A preview is a clip that can be played.',
} as const satisfies Rules

export const config = {
  'config.reset': 'DELETE /videos/{id}/config replaces the stored config by the editor defaults and answers them.',
  'config.merge.shallow': 'PATCH /videos/{id}/config merges key by key and answers the whole config.',
  'config.merge.flat-or-nested': 'The body is the config itself or holds it under `config`.',
  'config.merge.unknown-keys': 'Unknown keys are dropped.',
  'config.merge.out-of-range': 'A known key outside its list or its range is a 400.',
  'config.merge.no-known-key': 'A body without a known key is a 400.',
  'config.get': 'GET on the same path answers the stored config.',
  'config.ranges': 'Font size 12 to 200, vertical position 0 to 100, strokes 0 to 40, letter spacing -20 to 50.',
  'config.value-lists':
    'Text transform, layout, animation, word effects (empty too) and font weight take their listed values only.',
  'config.colours': 'A colour is #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS name; an address is http or https.',
} as const satisfies Rules
