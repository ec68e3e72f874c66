/** The quality checks: the limit of each and the label of what it measures. Names end with the unit. */
export const rules = {
  wordsMissing: { limit: 0, label: 'words of the script that are missing or out of order' },
  wordsOverlapping: { limit: 0, label: 'words that overlap' },
  wordsBeyondMs: { limit: 0, label: 'milliseconds by which words exceed the audio' },
  voiceOffsetMs: { limit: 80, label: 'milliseconds between the words and the voice' },
  wordsInSilencePercent: { limit: 10, label: 'percent of the words during silence' },
  silenceMs: { limit: 5000, label: 'milliseconds of silence' },
  // The renderer can correct this much without distorting the voice.
  loudnessGapLu: { limit: 30, label: 'loudness units between the voice and the target loudness' },
  // Platforms turn louder videos down, and quieter ones up.
  filmLoudnessGapLu: { limit: 1, label: 'loudness units between the render and the target loudness' },
  pagesOverlapping: { limit: 0, label: 'caption pages that overlap' },
  wordsUnpaged: { limit: 0, label: 'words on no caption page' },
  // A page stays for a moment after its last word, and the video may end before.
  pagesBeyondMs: { limit: 250, label: 'milliseconds by which caption pages exceed the video' },
  uncoveredMs: { limit: 0, label: 'milliseconds with no segment or with several' },
  emptyPictures: { limit: 0, label: 'pictures that show nothing' },
} satisfies Record<string, { limit: number; label: string }>
export const qualityNames = Object.keys(rules) as [QualityName, ...QualityName[]]

export type QualityName = keyof typeof rules

export interface QualityCheck {
  name: QualityName
  passed: boolean
  measured: number
  limit: number
}

export interface Quality {
  passed: boolean
  checks: QualityCheck[]
  /** Who wrote the script (`Script.writtenBy`): `template` if nothing was known about the idea. */
  script?: string
}

export const qualityOf = (checks: readonly QualityCheck[]): Quality => ({
  passed: checks.every(({ passed }) => passed),
  checks: worstChecks(checks),
})

/** The worst result of each check. */
export const worstChecks = (all: readonly QualityCheck[]): QualityCheck[] =>
  qualityNames.flatMap((name) => {
    const results = all.filter((one) => one.name === name)
    return results.length === 0 ? [] : results.reduce((worst, one) => (one.measured > worst.measured ? one : worst))
  })
