/** Which music lies under a film: none, unless its theme config asks for some. */

import { type MusicMood, moodsOfMusic, type musicMoods } from '../records/theme.ts'

/** Moods of videos are open strings; music for one that is on no line is calm. */
const wordsFor: Record<MusicMood, string[]> = {
  calm: ['calm', 'relaxed', 'peaceful', 'soft'],
  inspiring: ['inspiring', 'inspirational', 'motivational', 'hopeful', 'uplifting', 'warm', 'emotional', 'romantic'],
  energetic: ['energetic', 'upbeat', 'exciting', 'bold', 'powerful', 'fast'],
  dramatic: ['dramatic', 'serious', 'dark', 'suspenseful', 'mysterious', 'tense', 'epic', 'sad'],
  playful: ['playful', 'fun', 'funny', 'happy', 'cheerful', 'quirky', 'humorous'],
}

export function musicMoodOf(
  wished: (typeof musicMoods)[number] = 'none',
  mood: string | null = null,
): MusicMood | undefined {
  if (wished === 'none') return undefined
  if (wished !== 'auto') return wished
  return moodsOfMusic.find((known) => wordsFor[known].includes(mood?.toLowerCase() ?? '')) ?? 'calm'
}
