/** Each check: what it may measure at most, and what is said to be too much where it is more. Units stand at the end of the names. */
export const rules = {
  wordsMissing: { limit: 0, label: 'words of the script that are missing or out of order' },
  wordsOverlapping: { limit: 0, label: 'words that overlap' },
  wordsBeyondMs: { limit: 0, label: 'milliseconds for which words go on after the sound' },
  voiceOffsetMs: { limit: 80, label: 'milliseconds between the words and the voice' },
  wordsInSilencePercent: { limit: 10, label: 'percent of the words under which nothing is heard' },
  silenceMs: { limit: 5000, label: 'milliseconds of silence' },
  // What the renderer can make up for, and still sound like a voice.
  loudnessGapLu: { limit: 30, label: 'loudness units between the voice and what is published' },
  // Platforms turn louder films down, and quieter ones up.
  filmLoudnessGapLu: { limit: 1, label: 'loudness units between the film and what is published' },
  pagesOverlapping: { limit: 0, label: 'caption pages that overlap' },
  wordsUnpaged: { limit: 0, label: 'words on no caption page' },
  // A page stays for a moment after its last word, and the film may end before that moment does.
  pagesBeyondMs: { limit: 250, label: 'milliseconds for which caption pages go on after the video' },
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
}

export const qualityOf = (checks: readonly QualityCheck[]): Quality => ({
  passed: checks.every(({ passed }) => passed),
  checks: worstChecks(checks),
})

/** Of what was measured several times, the worst of each. */
export const worstChecks = (all: readonly QualityCheck[]): QualityCheck[] =>
  qualityNames.flatMap((name) => {
    const alike = all.filter((one) => one.name === name)
    return alike.length === 0 ? [] : alike.reduce((worst, one) => (one.measured > worst.measured ? one : worst))
  })
