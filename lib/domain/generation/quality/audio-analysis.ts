/** What can be heard in a sound. */
export interface AudioAnalysis {
  durationMs: number
  /** -Infinity where nothing is heard. */
  loudnessLufs: number
  windowMs: number
  /** For each window, from the beginning: whether anything sounds in it. */
  sounds: readonly boolean[]
}
