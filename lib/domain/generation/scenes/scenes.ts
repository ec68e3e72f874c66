/** Scenes of an ai video: a still or a clip with its narration each. Pure edits of the list; each clears the stitched render. */
import * as v from 'valibot'
import { notFound, Refusal } from '../../core/refusal.ts'
import { isOpen } from '../../core/states.ts'
import type { VideoDecision } from '../../records/decision.ts'
import type { Video } from '../../records/video.ts'
import { ugcSubType } from '../../videos/kind.ts'
import { clearRender } from '../../videos/update-video.ts'
import type { StoredBRoll } from '../b-rolls.ts'
import { extractKeywords } from '../keywords.ts'
import { narrationTailMs } from '../narration.ts'

const sceneStatuses = ['draft', 'ready'] as const
export const scenesMax = 50
/** Seconds that a client may give a scene; the pipeline also makes shorter ones. */
export const sceneSeconds = { min: 5, max: 20 } as const
export const sceneSecondsMin = 3
const newSceneSeconds = 6

export const scene = v.object({
  id: v.string(),
  imagePrompt: v.string(),
  animationPrompt: v.string(),
  narration: v.string(),
  voiceDescription: v.string(),
  /** Seconds. The film gives the scene more where its narration needs more. */
  duration: v.number(),
  /** `ready` where its picture is there; until then the film goes on showing the picture before it. */
  status: v.picklist(sceneStatuses),
  imageUrl: v.nullable(v.string()),
  videoUrl: v.nullable(v.string()),
})
export type Scene = v.InferOutput<typeof scene>

/** As it is stored: the places of its media instead of addresses, which depend on where the service runs. */
export type StoredScene = Omit<Scene, 'status' | 'imageUrl' | 'videoUrl'> & {
  imageKey: string | null
  videoKey: string | null
  /** True where the clip shows nothing but a camera that moves over the still: then a film shows the still so, which is sharper. */
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

/** The scenes with an empty one after the named scene, or at the end. It sounds like the one before it. */
export function addScene(
  scenes: readonly StoredScene[],
  id: string,
  afterSceneId?: string | null,
): { scenes: StoredScene[]; scene: StoredScene } {
  const before = typeof afterSceneId === 'string' ? requireScene(scenes, afterSceneId) : scenes.at(-1)
  if (scenes.length >= scenesMax)
    throw new Refusal('limit-reached', `A video has at most ${scenesMax} scenes; remove one first.`)
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

/** The scenes with one edited. Its clip shows what it was; its still stays until a new one is drawn. */
export const editScene = (scenes: readonly StoredScene[], sceneId: string, edit: SceneEdit) =>
  replaced(scenes, { ...requireScene(scenes, sceneId), ...edit, videoKey: null })

/** The scenes with another still for one. */
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

/** Keeps the list that lies under `scenesKey`; what was stitched from another one is no longer shown. A generation would replace it. */
export function changeScenes(video: Video, scenesKey: string, now: string): VideoDecision {
  if (isOpen(video.process))
    throw new Refusal(
      'job-in-progress',
      'This video is being generated anew; its scenes can be edited when that is done.',
    )
  return clearRender(video, { ...video, timelines: { ...video.timelines, scenes: scenesKey } }, now)
}

/** When a scene is on the screen. */
export interface SceneSpan {
  startMs: number
  endMs: number
}

/** One after the other: each as long as it is to be, and as long as it takes to speak; the last one goes on for a moment. */
export function sceneSpans(scenes: readonly StoredScene[], spokenMs: readonly number[]): SceneSpan[] {
  let at = 0
  return scenes.map(({ duration }, index) => {
    const startMs = at
    at += Math.max(Math.round(duration * 1000), sceneSpeechMs(spokenMs, index))
    return { startMs, endMs: at }
  })
}

/** How long a scene takes to speak; the film does not end with the last word. */
export function sceneSpeechMs(spokenMs: readonly number[], index: number): number {
  const ms = spokenMs[index] ?? 0
  return ms > 0 && index === spokenMs.length - 1 ? ms + narrationTailMs : ms
}

/** Who films himself cuts hard, and every other time a little nearer. */
const jumpCut = (index: number) => ({ transition: 'cut', scale: index % 2 === 0 ? 1 : 1.12 })

/** What is seen of each scene, as a segment: its clip, else its still, else nothing of its own. */
export const scenesAsBRolls = (
  { subType }: Pick<Video, 'subType'>,
  scenes: readonly StoredScene[],
  places: readonly SceneSpan[],
): StoredBRoll[] =>
  scenes.map(({ id, narration, imagePrompt, animationPrompt, imageKey, videoKey, isCameraMove }, index) => {
    const clipKey = isCameraMove && imageKey ? null : videoKey
    return {
      id: id.replace(/^scn_/, 'brl_'),
      ...places[index]!,
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
