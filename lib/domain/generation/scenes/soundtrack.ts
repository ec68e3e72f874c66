/** The soundtrack of an ai video: the narration of each scene, placed at the start of its scene. */
import type { ArtefactOwner } from '../../core/artefact.ts'
import { artefactKey } from '../../core/artefact.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { Video } from '../../records/video.ts'
import { requireOpenJob } from '../../videos/job-transitions.ts'
import { updateVideo } from '../../videos/update-video.ts'
import type { StoredCaptions } from '../captions/captions.ts'
import type { NarrationFacts } from '../narration.ts'
import { narratorIdOf } from '../narration.ts'
import type { WrittenScenes } from './scene-script.ts'
import type { SceneSpan, StoredScene } from './scenes.ts'

export interface Soundtrack extends NarrationFacts {
  /** When each scene is on the screen, in the order of the scenes. */
  places: SceneSpan[]
}

/**
 * The storage key of the audio, a hash of everything that is spoken, and when. A video with another audio key was edited
 * since it was narrated; edits of pictures do not change the key. The `Soundtrack` is stored next to it (`narrationFactsKey`).
 */
export const soundtrackKey = (owner: ArtefactOwner, scenes: readonly StoredScene[], voiceId: string): string =>
  artefactKey(
    owner,
    'narrations',
    [
      narratorIdOf(voiceId),
      voiceId,
      scenes.map(({ narration, voiceDescription, duration }) => [narration, voiceDescription, duration]),
    ],
    'wav',
  )

/** The narrated scenes of a generation; their pictures are made next. */
export interface SpokenScenes extends WrittenScenes {
  soundtrack: Soundtrack
}

/**
 * Stores the soundtrack for a render that waits for it. Undefined if scenes or voice were edited meanwhile: it has to be
 * narrated again. The visuals are unchanged, so `contentVersion` stays.
 */
export function applySoundtrack(
  video: Video,
  /** The video that was narrated. */
  spokenVersion: Video,
  runId: string,
  { soundtrack, captions }: { soundtrack: Soundtrack; captions: StoredCaptions | undefined },
  now: string,
): VideoDecision | undefined {
  requireOpenJob(video, 'render', runId)
  if (video.timelines.scenes !== spokenVersion.timelines.scenes || video.brief.voiceId !== spokenVersion.brief.voiceId)
    return undefined
  const { audioKey, durationMs } = soundtrack
  const after: Video = {
    ...video,
    durationSeconds: durationMs / 1000,
    media: { ...video.media, audioKey, ...(captions ? { captionsKey: captions.captionsKey } : {}) },
    timelines: { ...video.timelines, ...captions?.timelines },
    updatedAt: now,
  }
  return updateVideo(video, after, now)
}
