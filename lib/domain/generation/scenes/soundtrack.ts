/** The sound of an ai video: every scene spoken by itself, set down at its scene's start. */
import type { ArtefactOwner } from '../../core/artefact.ts'
import { artefactKey } from '../../core/artefact.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { Video } from '../../records/video.ts'
import { requireOpenJob } from '../../videos/jobs.ts'
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
 * Where the sound of these scenes lies: named by all that is heard and when. So a video whose sound lies elsewhere was edited
 * since it was spoken, and what only changes its pictures leaves it spoken. The `Soundtrack` lies beside it (`narrationFactsKey`).
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

/** The scenes of a generation once they were spoken; their pictures are made next. */
export interface SpokenScenes extends WrittenScenes {
  soundtrack: Soundtrack
}

/**
 * Puts on the record what was spoken for a render that waits for it. Undefined where scenes or voice were edited meanwhile: then it
 * has to be spoken again. What the video shows is as before, so that its `contentVersion` stays.
 */
export function applySoundtrack(
  video: Video,
  /** As it was when it was spoken. */
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
