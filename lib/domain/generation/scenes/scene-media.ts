/** The pictures of scenes: the still of each, and the clip in which it moves or a person speaks. Which scene waits for one, and what it is made from. */
import { frameSizes } from '../../records/brief.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { Video } from '../../records/video.ts'
import { requireOpenJob } from '../../videos/jobs.ts'
import { ugcSubType } from '../../videos/kind.ts'
import { updateVideo } from '../../videos/update-video.ts'
import { stillSize } from '../plan-visuals.ts'
import type { SceneStyle } from './scene-prompts.ts'
import { subjectKeywords } from './scene-prompts.ts'
import type { SceneSpan, StoredScene } from './scenes.ts'

/** What the still of a scene is drawn from. Pictures with one seed look related, and the same prompt with the same seed gives the same picture. */
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

/** The address of a person's picture that the brief names. */
export const portraitUrlOf = ({ presenter, characterImageUrl }: Video['brief']): string | null =>
  presenter?.imageUrl ?? characterImageUrl

/** A shot goes on moving while the next one fades in over it. */
const fadeMs = 400

/** How a still moves: all of it is in the name of the clip, so that a clip is made again only where it shows something else. */
export const sceneClipRequest = (
  { id, brief }: Pick<Video, 'id' | 'brief'>,
  { animationPrompt }: Pick<StoredScene, 'animationPrompt'>,
  { startMs, endMs }: SceneSpan,
) => ({ prompt: animationPrompt, durationMs: endMs - startMs + fadeMs, ...frameSizes[brief.aspectRatio], seed: id })

/** People are filmed no larger by phones, and what makes them speak offers no more. */
const smallSideMax = 720

/** The size of clips in which somebody speaks, and of those that no film shows. */
export function downscaledSize({ brief }: Pick<Video, 'brief'>): { width: number; height: number } {
  const { width, height } = frameSizes[brief.aspectRatio]
  const scale = smallSideMax / Math.min(width, height)
  return { width: 2 * Math.round((width * scale) / 2), height: 2 * Math.round((height * scale) / 2) }
}

/** Whether a film of the scene has to wait for its clip. A scene without a picture waits for none: the one before it goes on. */
export const needsClip = ({ subType }: Pick<Video, 'subType'>, { imageKey, videoKey }: StoredScene): boolean =>
  videoKey === null && (imageKey !== null || subType === ugcSubType)

/** Puts the clips that were made of scenes (`from` became `made`, in the same order) to those that are still what they were. */
export function withClips(
  scenes: readonly StoredScene[],
  from: readonly StoredScene[],
  result: readonly StoredScene[],
): StoredScene[] {
  return scenes.map((scene) => {
    const index = from.findIndex(({ id }) => id === scene.id)
    return JSON.stringify(from[index]) === JSON.stringify(scene) ? result[index]! : scene
  })
}

/** Where a container tells which pictures it made for the scenes of a document: beside it. */
export const scenesResultKey = (scenesKey: string) => scenesKey.replace(/\.json$/, '.made.json')

/** Puts the scenes with their new clips on the record of a render that waits for them. The film shows what it would have shown: `contentVersion` stays. */
export function attachSceneClips(video: Video, runId: string, scenesKey: string, now: string): VideoDecision {
  requireOpenJob(video, 'render', runId)
  return updateVideo(video, { ...video, timelines: { ...video.timelines, scenes: scenesKey }, updatedAt: now }, now)
}
