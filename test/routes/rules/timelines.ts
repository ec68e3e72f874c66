/** The timelines of a video: captions, b-rolls, presentation scenes, AI scenes. Sources: api.md, "Endpoints"; decisions.md 1 and 4. */
import type { Rules } from './rule-table.ts'

export const captions = {
  'captions.replace.halves': 'PUT /videos/{id}/captions takes `captions`, `captionsPages` or both.',
  'captions.replace.wholesale': 'The half that is sent is replaced as a whole; the other stays.',
  'captions.replace.answer': 'It answers `{ captions, captionsPages }`.',
  'captions.replace.page-layered':
    'A page is laid over the stored one with its id and keeps its emoji and audio effect.',
  'captions.replace.new-page': 'A page with an unknown id is a new one.',
  'captions.replace.minted-ids': 'Ids that are sent are kept, missing ones are minted.',
  'captions.replace.words-max': 'A request holds at most 6000 words.',
  'captions.replace.pages-max': 'A request holds at most 2000 pages.',
  'captions.replace.end-after-start': '`endMs` is at or after `startMs` in every item.',
  'captions.replace.read-only': 'Read-only keys that are sent are dropped, never stored.',
} as const satisfies Rules

export const bRolls = {
  'brolls.replace.bare-or-wrapped': 'PUT /videos/{id}/brolls takes a bare array or `{ bRolls }`.',
  'brolls.replace.accepted-fields':
    'Only id, startMs, endMs, text, prompt, keywords and mediaType are taken; the rest is dropped.',
  'brolls.replace.segments-max': 'A request holds at most 500 segments.',
  'brolls.replace.answer': 'It replaces the whole timeline and answers the segments.',
  'brolls.replace.carried-over': 'Read-only parts are carried over by id.',
  'brolls.replace.new-segment': 'A segment with an unknown id is new and has no media.',
  'brolls.replace.not-fetched': 'Media is not fetched by it; a generation with `addBRolls` does that.',
  'brolls.replace.media-types': 'mediaType is ai_image, stock_footage or ai_video.',
  'presenter.idempotent': 'POST /videos/{id}/brolls/{brollId}/presenter takes an `Idempotency-Key`.',
  'presenter.body': 'It takes `imageUrl`, `avatarId` and `name` and answers the segment.',
  'presenter.media': 'The portrait speaks the narration under the segment, and that replaces the media of the segment.',
  'presenter.price': 'It costs 1 avatar credit per 5 seconds.',
} as const satisfies Rules

export const presentation = {
  'presentation.list': 'GET /videos/{id}/presentation-scenes answers the scenes of a presentation.',
  'presentation.replace.shapes':
    'PUT takes a bare array, `{ presentationScenes }` or `{ scenes }`, and replaces the whole timeline.',
  'presentation.replace.clamped':
    'A scene beyond the end of the transcript is clamped to it; without a transcript the duration counts.',
  'presentation.replace.dropped': 'A scene that ends at or before its start is dropped.',
  'presentation.replace.sorted': 'The scenes are stored by their start.',
  'presentation.replace.not-ready': 'Without transcript and duration it is a 409 `warning-source-not-ready`.',
  'presentation.wrong-type': 'A video that is no presentation is a 409 `wrong-video-type`.',
  'presentation.value-lists': 'tone, caption and template take their listed values only.',
  'presentation.recut.idempotent': 'POST /videos/{id}/presentation-scenes/recut takes an `Idempotency-Key`.',
  'presentation.recut.rebuilds':
    'A director rebuilds the scenes from the transcript while the call waits, and they replace the stored ones.',
  'presentation.recut.price': 'It charges 10 credits.',
  'presentation.recut.not-ready': 'Without a transcript it is a 409 `warning-source-not-ready`.',
} as const satisfies Rules

export const scenes = {
  'scenes.add.place': 'POST /videos/{id}/scenes adds an empty scene behind `afterSceneId`, or at the end; 201.',
  'scenes.add.unknown-place': 'An unknown `afterSceneId` is a 404.',
  'scenes.add.inherits': 'The new scene has the `voiceDescription` of the one before it, 6 seconds and empty prompts.',
  'scenes.add.free': 'It costs nothing.',
  'scenes.add.clears-render': 'It clears `renderUrl`.',
  'scenes.add.max': 'A video has at most 50 scenes; the 51st is a 409 `limit-reached`.',
  'scenes.remove': 'DELETE /videos/{id}/scenes/{sceneId} answers `{ ok: true }` and clears the stitched render.',
  'scenes.edit.fields':
    'PATCH takes at least one of imagePrompt, animationPrompt, narration, voiceDescription, duration; answers the scene.',
  'scenes.edit.duration': 'A `duration` outside 5 to 20 seconds is a 400.',
  'scenes.edit.clears': "It clears the scene's `videoUrl` and the video's `renderUrl`.",
  'scenes.image.prompt': 'POST .../image makes a new still; a `prompt` is kept as `imagePrompt`.',
  'scenes.image.price': 'It charges one image: 2 credits.',
  'scenes.image.clears': "It clears the scene's clip and the stitched render.",
  'scenes.image.no-prompt': 'Without a `prompt` and a stored `imagePrompt` it is a 400.',
  'scenes.image.ugc': 'On a video with subType `ugc` it is a 409 `warning-invalid-input`.',
} as const satisfies Rules
