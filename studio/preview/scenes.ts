/**
 * When the scenes of an ai video are on the screen. The render knows where the narration of each one was placed; here
 * it follows from their words in the captions.
 */
import type { StoredBRoll } from '../../lib/domain/generation/b-rolls.ts'
import type { CaptionWord } from '../../lib/domain/generation/captions/captions.ts'
import type { Scene } from '../../lib/domain/generation/scenes/scenes.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { ugcSubType } from '../../lib/domain/videos/kind.ts'

/** Each scene starts with the first word of its narration, and lasts at least as long as it says. */
export function toCompositionBRolls(
  { subType, durationSeconds }: Pick<Video, 'subType' | 'durationSeconds'>,
  scenes: readonly Scene[],
  captions: readonly CaptionWord[],
): StoredBRoll[] {
  const starts = sceneStarts(scenes, captions)
  const endMs = Math.round((durationSeconds ?? 0) * 1000)
  return scenes.map((scene, index) => ({
    id: scene.id.replace(/^scn_/, 'brl_'),
    startMs: starts[index]!,
    endMs: starts[index + 1] ?? Math.max(endMs, starts[index]!),
    text: scene.narration,
    prompt: scene.imagePrompt,
    keywords: [],
    mediaType: scene.videoUrl ? 'ai_video' : 'ai_image',
    ...(scene.animationPrompt && { animation: scene.animationPrompt }),
    // Jump cuts of a person who speaks to the camera: every other one is a little closer.
    ...(subType === ugcSubType && { transition: 'cut', scale: index % 2 === 0 ? 1 : 1.12 }),
    hidden: false,
    media: mediaOf(scene),
  }))
}

function mediaOf({ videoUrl, imageUrl }: Scene): StoredBRoll['media'] {
  if (videoUrl) return { kind: 'clip', key: videoUrl }
  return imageUrl ? { kind: 'still', key: imageUrl } : null
}

function sceneStarts(scenes: readonly Scene[], captions: readonly CaptionWord[]): number[] {
  const starts: number[] = []
  let [word, earliestMs] = [0, 0]
  for (const { narration, duration } of scenes) {
    const spoken = narration.split(/\s+/).filter(Boolean).length
    const startMs = Math.max(earliestMs, starts.length === 0 || spoken === 0 ? 0 : (captions[word]?.startMs ?? 0))
    starts.push(startMs)
    word += spoken
    earliestMs = startMs + Math.round(duration * 1000)
  }
  return starts
}
