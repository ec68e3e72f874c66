/** Finds what needs more than linear time for hostile texts. Measured in CPU time, as other processes run next to the tests. */

/** Each is repeated to the length of the text. */
const units = [
  ...'aA0 \n.,!?-_/=<([{"«“’#@&*:',
  ...['{\\', 'ิ', 'ก', '́', '漢', '\u200d', '\ufe0f', '😀', '🇩', '%20', '\\u', '\\"'],
  ...['a.', '0.', '0,', '1 ', 'a ', 'a-', '-0', '@a', 'a@', 'a/', ' the', ' and', ', and ', '. A', '!" ', '« '],
  ...['<a', '<text', '](', '","', 'http://a', 'https://a.b/', 'eyJ-', 'eyJa.', 'token=', 'Bearer ', 'whsec_'],
  ...['begin with "', '==', '-->', '00:00 ', 'to a b ', 'the of '],
]
/** Most expressions accept a run, and backtrack when a text goes on after it. */
const ends = ['\u0000', 'x !']

/** Below this a reading is fast enough; quadratic ones need several times as much for the longest text. */
const floorMs = 15
/** Repetitions of a unit: exponential and cubic expressions are found at the first, before they could stop the test. */
const repetitions = [24, 64, 512, 8_192]

/** CPU time of this thread: that of the process also counts threads that collect garbage and compile. */
function threadCpuMs(): number {
  // Linux brings the time of a running thread up to date at a tick, up to 4 ms late, and whenever that of its process is read.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function cpuMsOf(work: () => unknown): number {
  const before = threadCpuMs()
  work()
  return threadCpuMs() - before
}

/** Whether reading twice and four times as much takes far more than twice and four times as long. */
function growsFaster(read: (text: string) => unknown, textOf: (count: number) => string, count: number): boolean {
  const texts = [count / 4, count / 2, count].map(textOf)
  const best = texts.map(() => Infinity)
  // In turns, so that a slow moment meets all sizes. The shortest reading of each: the others hold a collection of garbage.
  for (let round = 0; round < 4; round++)
    for (const [size, text] of texts.entries()) {
      const ms = cpuMsOf(() => read(text))
      best[size] = Math.min(best[size]!, ms)
    }
  const [quarter, half, whole] = best as [number, number, number]
  return whole > floorMs && whole / half > 2.8 && whole / Math.max(quarter, 0.1) > 9
}

/**
 * A text, as `unit … end`, that a function reads in more than linear time. `more`: further units; `oneIn`: a part of the
 * texts, for functions that are slow in themselves.
 */
export function superLinearTexts(
  read: (text: string) => unknown,
  { more = [], lengthMax = 8_192, oneIn = 1 }: { more?: readonly string[]; lengthMax?: number; oneIn?: number } = {},
): string[] {
  const isSlow = (unit: string, end: string) => {
    const textOf = (count: number) => unit.repeat(Math.ceil(count)) + end
    return repetitions.some((repetition) => {
      const count = Math.min(repetition, lengthMax / unit.length)
      const text = textOf(count)
      const start = performance.now()
      read(text)
      // Wall-clock time suffices to see that it was fast. What grows faster does so every time; a busy machine does not.
      return performance.now() - start > floorMs && [1, 2, 3].every(() => growsFaster(read, textOf, count))
    })
  }
  for (const unit of [...units, ...more].filter((_, index) => index % oneIn === 0))
    for (const end of ends) if (isSlow(unit, end)) return [`${JSON.stringify(unit)} … ${JSON.stringify(end)}`]
  return []
}
