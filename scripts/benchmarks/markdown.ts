/** Formats figures, goals and measurement notes for the benchmarks page. */
import { type BenchGoal, type BenchName, type Figures, meetsGoal } from '../../bench/figures.ts'
import type { BenchResult } from '../../bench/result-files.ts'

/** The stored results; a bench that was never run is absent. */
export type Results = { [Name in BenchName]?: BenchResult<Figures[Name]> | undefined }

/** A section of the page. `about` is always printed, `body` only if the bench has a result. */
export interface Section<Name extends BenchName> {
  title: string
  name: Name
  about: string
  body: (figures: Figures[Name]) => string[]
}

export function sectionOf<Name extends BenchName>(
  { title, name, about, body }: Section<Name>,
  results: Results,
): string {
  const result = results[name]
  const parts = result ? [measurementNote(result), ...body(result.figures)] : ['**Not yet measured.**']
  return [`## ${title}`, about, ...parts].join('\n\n')
}

const counts = ['no', 'one', 'two', 'three', 'four', 'five']

function measurementNote({ date, machine, node, ffmpeg, quiet, rounds }: BenchResult<unknown>): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
  const conditions = quiet ? 'on an idle machine' : '**beside other work**'
  const roundsText = rounds === undefined ? '' : `, ${counts[rounds] ?? rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  return `Measured on ${day} ${conditions} (${machine}, Node ${node.replace('v', '')}, ffmpeg ${ffmpeg})${roundsText}.`
}

/** A number with thousands separators and `decimals` decimals. */
export const formatNumber = (value: number, decimals = 0): string =>
  new Intl.NumberFormat('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)

/** With a sign. */
export const signedNumber = (value: number, decimals = 0): string =>
  `${value < 0 ? '-' : '+'} ${formatNumber(Math.abs(value), decimals)}`

export const formatPercent = (share: number, decimals = 0): string => `${formatNumber(share * 100, decimals)} %`

/** The goal, formatted with its unit, and whether it was reached. */
export function goalText(figure: number, goal: BenchGoal, format: (value: number) => string): string {
  const target = 'most' in goal ? `at most ${format(goal.most)}` : `at least ${format(goal.least)}`
  return `${target}: ${meetsGoal(figure, goal) ? 'reached' : '**not reached**'}`
}

export const times = (decimals: number) => (value: number) => `${formatNumber(value, decimals)} x`
export const unitFormatter = (name: string) => (value: number) => `${formatNumber(value)} ${name}`
