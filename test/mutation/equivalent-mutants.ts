/** Mutants that no test can tell from the code, each with its reason. They do not count. */
import type { Mutant } from './mutants.ts'

const sizeBound = 'The bound only saves the exact measurement of timelines that are far smaller.'

const equivalents: (Pick<Mutant, 'file' | 'from' | 'to'> & { code: string; reason: string })[] = [
  { file: 'lib/domain/core/timeline-item.ts', from: '+', to: '-', code: 'const isSurelyWithin', reason: sizeBound },
  { file: 'lib/domain/core/timeline-item.ts', from: '2', to: '3', code: 'const isSurelyWithin', reason: sizeBound },
]

/** `line`: the text of the mutant's line. */
export const isEquivalent = ({ file, from, to }: Mutant, line: string): boolean =>
  equivalents.some((one) => one.file === file && one.from === from && one.to === to && line.includes(one.code))
