/** Which music lies under a film: none, unless its theme config asks for some. */

export const moodsOfMusic = ['calm', 'inspiring', 'energetic', 'dramatic', 'playful'] as const
export type MusicMood = (typeof moodsOfMusic)[number]

/** What `musicMood` of a config may say: `auto` goes by the mood of the video. */
export const musicMoods = ['none', 'auto', ...moodsOfMusic] as const

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
