/** Stills and clips of scenes: the requests that they are made from, which scenes need one, and attaching the results. */
import { frameSizes } from '../../records/brief.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { Video } from '../../records/video.ts'
import { requireAttempt, requireOpenJob } from '../../videos/job-transitions.ts'
import { ugcSubType } from '../../videos/kind.ts'
import { updateVideo } from '../../videos/update-video.ts'
import { stillSize } from '../plan-visuals.ts'
import type { SceneStyle } from './scene-prompts.ts'
import { subjectKeywords } from './scene-prompts.ts'
import type { SceneSpan, StoredScene } from './scenes.ts'

/** The request for a scene's still. One seed per video makes its pictures look related, and a repeated prompt deterministic. */
export const sceneStillRequest = (
  { id, brief, mood }: SceneStyle,
  { imagePrompt }: Pick<StoredScene, 'imagePrompt'>,
) => ({
  prompt: imagePrompt,
  keywords: subjectKeywords(imagePrompt),
  mood,
  ...stillSize(brief.aspectRatio),
  seed: id,
})

/** The URL of a person's picture in the brief. */
export const portraitUrlOf = ({ presenter, characterImageUrl }: Video['brief']): string | null =>
  presenter?.imageUrl ?? characterImageUrl

/** A shot continues to move while the next one fades in over it. */
const fadeMs = 400

/** The request for a scene's clip. It determines the storage key, so that a clip is made again only if it changes. */
export const sceneClipRequest = (
  { id, brief }: Pick<Video, 'id' | 'brief'>,
  { animationPrompt }: Pick<StoredScene, 'animationPrompt'>,
  { startMs, endMs }: SceneSpan,
) => ({ prompt: animationPrompt, durationMs: endMs - startMs + fadeMs, ...frameSizes[brief.aspectRatio], seed: id })

/** The resolution of phone cameras, and of the avatar providers. */
const smallSideMax = 720

/** The size of clips with a speaking person, and of clips that no render shows. */
export function downscaledSize({ brief }: Pick<Video, 'brief'>): { width: number; height: number } {
  const { width, height } = frameSizes[brief.aspectRatio]
  const scale = smallSideMax / Math.min(width, height)
  return { width: 2 * Math.round((width * scale) / 2), height: 2 * Math.round((height * scale) / 2) }
}

/** Whether a render has to wait for the scene's clip. A scene without a still has no clip: the previous one continues. */
export const needsClip = ({ subType }: Pick<Video, 'subType'>, { imageKey, videoKey }: StoredScene): boolean =>
  videoKey === null && (imageKey !== null || subType === ugcSubType)

/** Adds clips to scenes that were not edited meanwhile. `animated[i]` is the result for `originals[i]`. */
export function withClips(
  scenes: readonly StoredScene[],
  originals: readonly StoredScene[],
  animated: readonly StoredScene[],
): StoredScene[] {
  return scenes.map((scene) => {
    const index = originals.findIndex(({ id }) => id === scene.id)
    return JSON.stringify(originals[index]) === JSON.stringify(scene) ? animated[index]! : scene
  })
}

/** A container has no return value in its state machine, so its result is stored next to the document of the scenes. */
export const scenesResultKey = (scenesKey: string) => scenesKey.replace(/\.json$/, '.made.json')

/** Stores the scenes with their clips for a render that waits for them. What it shows is the same: `contentVersion` stays. */
export function attachSceneClips(
  video: Video,
  runId: string,
  attempt: number,
  scenesKey: string,
  now: string,
): VideoDecision {
  requireAttempt(requireOpenJob(video, 'render', runId), attempt)
  return updateVideo(video, { ...video, timelines: { ...video.timelines, scenes: scenesKey }, updatedAt: now }, now)
}
