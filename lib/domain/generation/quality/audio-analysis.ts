/** The measurements of an audio file that the quality checks need. */
export interface AudioAnalysis {
  durationMs: number
  /** -Infinity for silence. */
  loudnessLufs: number
  windowMs: number
  /** For each window from the start: whether it has sound. */
  sounds: readonly boolean[]
}
