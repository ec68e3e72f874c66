/** The mood of a video's background music: none unless its theme config sets one. */

import { type MusicMood, type musicMoodSettings, trackMoods } from '../records/theme.ts'

/** Moods of videos are open strings; unknown ones get calm music. */
const moodSynonyms: Record<MusicMood, string[]> = {
  calm: ['calm', 'relaxed', 'peaceful', 'soft'],
  inspiring: ['inspiring', 'inspirational', 'motivational', 'hopeful', 'uplifting', 'warm', 'emotional', 'romantic'],
  energetic: ['energetic', 'upbeat', 'exciting', 'bold', 'powerful', 'fast'],
  dramatic: ['dramatic', 'serious', 'dark', 'suspenseful', 'mysterious', 'tense', 'epic', 'sad'],
  playful: ['playful', 'fun', 'funny', 'happy', 'cheerful', 'quirky', 'humorous'],
}

export function resolveMusicMood(
  setting: (typeof musicMoodSettings)[number] = 'none',
  mood: string | null = null,
): MusicMood | undefined {
  if (setting === 'none') return undefined
  if (setting !== 'auto') return setting
  return trackMoods.find((known) => moodSynonyms[known].includes(mood?.toLowerCase() ?? '')) ?? 'calm'
}
