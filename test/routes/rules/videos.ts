/** Videos: list, create, read, edit, delete. Sources: api.md, "Endpoints"; decisions.md 1 and 4. */
import type { Rules } from './rule-table.ts'

export const listVideos = {
  'videos.list.limit': '`limit` is a whole number from 1 to 100, 50 where it is absent.',
  'videos.list.offset': '`offset` is a whole number from 0, which it is where it is absent.',
  'videos.list.type': '`type` selects by pipeline: video, faceless, ai.',
  'videos.list.sub-type': '`subType` selects by variant; it has at most 40 characters.',
  'videos.list.status': '`status` selects by lifecycle status: draft, processing, rendering, ready, failed.',
  'videos.list.search': '`search` selects by a part of the title in any case; it has at most 100 characters.',
  'videos.list.unknown-filter-value': 'An unknown `type` or `status` is ignored, not refused.',
  'videos.list.malformed-values':
    'Paging that is no whole number or out of range, and texts that are too long, are a 400.',
  'videos.list.newest-activity-first': 'The video with the newest activity comes first.',
  'videos.list.no-blueprints': 'Automation blueprints are not in the list.',
  'videos.list.no-clips': 'Clips are not in the list.',
  'videos.list.no-heavy-arrays': 'Heavy arrays are never in the list, and `include` is ignored.',
  'videos.list.item-fields': 'An item lacks config, presentation assets and presenter, and tells its derived status.',
} as const satisfies Rules

export const createVideo = {
  'videos.create.idempotent': 'POST /videos takes an `Idempotency-Key`.',
  'videos.create.flat-or-nested': 'Brief fields stand flat or nested under `brief`.',
  'videos.create.nested-wins': 'Where a field stands in both places the nested one wins.',
  'videos.create.post-back': 'A video that was read can be posted back as it is.',
  'videos.create.sample-fields': 'The sample fields are taken, `process` with its three booleans included.',
  'videos.create.queued': 'It answers 201 with process QUEUED at 0, render and publish null and an empty config.',
  'videos.create.unknown-keys-ignored': 'Unknown keys are ignored.',
  'videos.create.malformed-value': 'A known key with a malformed value is a 400.',
  'videos.create.is-automation': '`isAutomation: true` is refused: blueprints are made elsewhere.',
  'videos.create.charges-credits': 'It reserves the credits of a generation.',
  'videos.create.counts-generation': 'It counts toward the monthly generations.',
  'videos.create.no-credits': 'Without credits it is refused with `warning-no-credits`.',
  'videos.create.plan-generations': 'Beyond the monthly generations it is refused with `warning-plan-generations`.',
  'videos.create.plan-storage': 'With a full storage it is refused with `warning-plan-storage`.',
  'videos.create.plan-duration': 'For a longer video than the plan allows it is refused with `warning-plan-duration`.',
  'videos.create.chained-render':
    '`process.render: true` queues the render when the generation is done; without it none is queued.',
  'videos.create.prompt-or-text': 'It needs a `prompt` or a `text` that is not empty.',
  'videos.create.defaults': 'What is absent gets its default, and the first standard voice of the language.',
  'videos.create.voice-provider': '`voiceProvider` follows from `voiceId`; an unknown voice or a mismatch is a 400.',
  'videos.create.value-lists':
    'inputMode, videoDuration, imageStyle, aspectRatio and placement take their listed values only.',
  'videos.create.open-names':
    'subType, mood, presentationMood and presentationTone are open: 1 to 40 letters, digits, `_`, `-`.',
} as const satisfies Rules

export const getVideo = {
  'videos.get.shape': 'GET /videos/{id} answers the video with brief, config, media and job documents.',
  'videos.get.include': '`include` names heavy arrays, separated by commas; only those are answered.',
  'videos.get.unknown-include': 'An unknown name in `include` is dropped.',
} as const satisfies Rules

export const editVideo = {
  'videos.edit.flat-or-nested': 'PATCH /videos/{id} takes fields flat or nested under `brief`, and answers the video.',
  'videos.edit.editable-fields': 'The title and the seventeen listed fields of the brief can be edited.',
  'videos.edit.other-field': 'Any other field is a 400 that names it.',
  'videos.edit.no-field': 'An edit without any field is a 400.',
  'videos.edit.nothing-requeued': 'Nothing is queued again; process or render apply the change afterwards.',
  'videos.edit.applies-to-clips': 'The choices hold for every video that is made from this one.',
  'videos.edit.script-prompt': 'A new `scriptPrompt` briefs an automation anew and costs no generation.',
} as const satisfies Rules

export const deleteVideo = {
  'videos.delete.whole-subtree': 'DELETE /videos/{id} removes the video, its clips and theirs, and all their files.',
  'videos.delete.returns-bytes': 'The bytes that it frees are credited to the storage quota.',
  'videos.delete.answer': 'It answers `{ ok, deletedClips, deletedBytes }`.',
  'videos.delete.irreversible': 'It is irreversible: a second call is a 404.',
} as const satisfies Rules

export const clips = {
  'clips.list.paging': 'GET /videos/{id}/clips pages like the list of videos.',
  'clips.list.order': 'Clips come newest first by creation, stable across pages while jobs run.',
  'clips.create.idempotent': 'POST /videos/{id}/clips takes an `Idempotency-Key`.',
  'clips.create.regenerate': '`regenerate: true` writes script and visuals anew and costs a generation.',
  'clips.create.reuse': 'Otherwise both are taken from the source, and it costs nothing.',
  'clips.create.render': '`render: true` queues the render when the clip is ready.',
  'clips.create.parent':
    'It answers 201 with a new video whose `parentVideoId` is the source that was given, a clip too.',
  'clips.create.no-guards': 'It is made also where something failed or waits to be published.',
} as const satisfies Rules

export const convert = {
  'convert.idempotent': 'POST /videos/{id}/convert takes an `Idempotency-Key` and no body.',
  'convert.editable':
    'It turns a finished `ai` video into a source video with transcript, caption pages and b-rolls; 202.',
  'convert.one-way': 'A video that is on the editable pipeline already is a 422 `already-converted`.',
} as const satisfies Rules
