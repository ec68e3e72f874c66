/** Scenes of an ai video, each a still or a clip with a narration: schema, edits of the list, and spans on the timeline. */
import * as v from 'valibot'
import { boundedText, urlLengthMax } from '../../core/bounded.ts'
import { notFound, Refusal } from '../../core/refusal.ts'
import { isOpen } from '../../core/states.ts'
import { itemId, type Span } from '../../core/timeline-item.ts'
import { freeTextLengthMax, scriptLengthMax } from '../../records/brief.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { Video } from '../../records/video.ts'
import { ugcSubType } from '../../videos/kind.ts'
import { clearRender } from '../../videos/update-video.ts'
import type { StoredBRoll } from '../b-rolls.ts'
import { extractKeywords } from '../keywords.ts'
import { narrationTailMs } from '../narration.ts'

const sceneStatuses = ['draft', 'ready'] as const
export const scenesMax = 50
/** Seconds that a client may set; a generation also makes shorter scenes. */
export const sceneSeconds = { min: 5, max: 20 } as const
export const sceneSecondsMin = 3
const newSceneSeconds = 6
/** Written by rules, it holds the narration, and the character and the style of the brief. */
const imagePromptLengthMax = scriptLengthMax + 4 * freeTextLengthMax

export const scene = v.object({
  id: itemId,
  imagePrompt: boundedText(imagePromptLengthMax),
  animationPrompt: boundedText(freeTextLengthMax),
  narration: boundedText(scriptLengthMax),
  voiceDescription: boundedText(freeTextLengthMax),
  /** Seconds. A render extends the scene if its narration is longer. */
  duration: v.number(),
  /** `ready` once it has a still; until then a render continues the previous picture. */
  status: v.picklist(sceneStatuses),
  imageUrl: v.nullable(boundedText(urlLengthMax)),
  videoUrl: v.nullable(boundedText(urlLengthMax)),
})
export type Scene = v.InferOutput<typeof scene>

/** The stored form: storage keys instead of URLs, which depend on the deployment. */
export type StoredScene = Omit<Scene, 'status' | 'imageUrl' | 'videoUrl'> & {
  imageKey: string | null
  videoKey: string | null
  /** True if the clip is only a camera move over the still: a render then animates the still itself, which is sharper. */
  isCameraMove?: boolean
}

export type SceneEdit = Partial<
  Pick<StoredScene, 'imagePrompt' | 'animationPrompt' | 'narration' | 'voiceDescription' | 'duration'>
>

export const sceneStatus = ({ imageKey }: StoredScene): Scene['status'] => (imageKey ? 'ready' : 'draft')

export function requireScene(scenes: readonly StoredScene[], sceneId: string): StoredScene {
  const found = scenes.find(({ id }) => id === sceneId)
  if (!found) throw notFound('scene')
  return found
}

/** Adds an empty scene after the named one, or at the end, with the voice of its predecessor. */
export function addScene(
  scenes: readonly StoredScene[],
  id: string,
  afterSceneId?: string | null,
): { scenes: StoredScene[]; scene: StoredScene } {
  const before = typeof afterSceneId === 'string' ? requireScene(scenes, afterSceneId) : scenes.at(-1)
  if (scenes.length >= scenesMax)
    throw new Refusal('limit-reached', `A video has at most ${scenesMax} scenes. Remove one first.`)
  const scene: StoredScene = {
    id,
    imagePrompt: '',
    animationPrompt: '',
    narration: '',
    voiceDescription: before?.voiceDescription ?? '',
    duration: newSceneSeconds,
    imageKey: null,
    videoKey: null,
  }
  return { scenes: scenes.toSpliced(before ? scenes.indexOf(before) + 1 : 0, 0, scene), scene }
}

/** Edits a scene. Its clip is outdated and removed; its still stays until a new one is made. */
export const editScene = (scenes: readonly StoredScene[], sceneId: string, edit: SceneEdit) =>
  replaced(scenes, { ...requireScene(scenes, sceneId), ...edit, videoKey: null })

/** Replaces the still of a scene. */
export const withSceneImage = (
  scenes: readonly StoredScene[],
  sceneId: string,
  imagePrompt: string,
  imageKey: string,
) => replaced(scenes, { ...requireScene(scenes, sceneId), imagePrompt, imageKey, videoKey: null })

export function removeScene(scenes: readonly StoredScene[], sceneId: string): StoredScene[] {
  const removed = requireScene(scenes, sceneId)
  return scenes.filter((scene) => scene !== removed)
}

function replaced(scenes: readonly StoredScene[], next: StoredScene): { scenes: StoredScene[]; scene: StoredScene } {
  return { scenes: scenes.map((scene) => (scene.id === next.id ? next : scene)), scene: next }
}

/** Sets the list of scenes to the document at `scenesKey` and clears the render. Refused during a generation, which would replace it. */
export function changeScenes(video: Video, scenesKey: string, now: string): VideoDecision {
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated. Edit its scenes when that is done.')
  return clearRender(video, { ...video, timelines: { ...video.timelines, scenes: scenesKey } }, now)
}

/** When a scene is on the screen. */
export type SceneSpan = Span

/** The consecutive spans of scenes: each as long as its duration or its narration, whichever is longer. */
export function sceneSpans(scenes: readonly StoredScene[], spokenMs: readonly number[]): SceneSpan[] {
  let at = 0
  return scenes.map(({ duration }, index) => {
    const startMs = at
    at += Math.max(Math.round(duration * 1000), sceneSpeechMs(spokenMs, index))
    return { startMs, endMs: at }
  })
}

/** The length of a scene's narration, with the tail after the last word of the video. */
export function sceneSpeechMs(spokenMs: readonly number[], index: number): number {
  const ms = spokenMs[index] ?? 0
  return ms > 0 && index === spokenMs.length - 1 ? ms + narrationTailMs : ms
}

/** The jump cuts of self-recorded videos: hard cuts, every other one a little closer. */
const jumpCut = (index: number) => ({ transition: 'cut', scale: index % 2 === 0 ? 1 : 1.12 })

/** The scenes as b-roll segments: with the clip as media, else the still, else none. */
export const scenesAsBRolls = (
  { subType }: Pick<Video, 'subType'>,
  scenes: readonly StoredScene[],
  spans: readonly SceneSpan[],
): StoredBRoll[] =>
  scenes.map(({ id, narration, imagePrompt, animationPrompt, imageKey, videoKey, isCameraMove }, index) => {
    const clipKey = isCameraMove && imageKey ? null : videoKey
    return {
      id: id.replace(/^scn_/, 'brl_'),
      ...spans[index]!,
      text: narration,
      prompt: imagePrompt,
      keywords: extractKeywords(imagePrompt),
      mediaType: clipKey ? 'ai_video' : 'ai_image',
      ...(animationPrompt ? { animation: animationPrompt } : {}),
      ...(subType === ugcSubType ? jumpCut(index) : {}),
      hidden: false,
      media: clipKey ? { kind: 'clip', key: clipKey } : imageKey ? { kind: 'still', key: imageKey } : null,
    }
  })
