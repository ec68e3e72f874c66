/** How the page of benchmarks says things: tables, figures, goals, and where and when something was measured. */
import { type BenchGoal, type BenchName, type Figures, meetsGoal } from '../../bench/figures.ts'
import type { BenchResult } from '../../bench/result-files.ts'

/** What was kept of each bench; one that was never run is absent. */
export type Results = { [Name in BenchName]?: BenchResult<Figures[Name]> | undefined }

/** `about` is there in any case; what the figures tell only where there are some. */
export interface Section<Name extends BenchName> {
  title: string
  name: Name
  about: string
  body: (figures: Figures[Name]) => string[]
}

export function sectionOf<Name extends BenchName>(
  { title, name, about, body: told }: Section<Name>,
  results: Results,
): string {
  const result = results[name]
  const parts = result ? [measurementNote(result), ...told(result.figures)] : ['**Not yet measured.**']
  return [`## ${title}`, about, ...parts].join('\n\n')
}

const counts = ['no', 'one', 'two', 'three', 'four', 'five']

function measurementNote({ date, machine, node, ffmpeg, quiet, rounds }: BenchResult<unknown>): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
  const beside = quiet ? 'with nothing else running' : '**beside other work**'
  const timesFormatter =
    rounds === undefined ? '' : `, ${counts[rounds] ?? rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  return `Measured on ${day} ${beside} (${machine}, Node ${node.replace('v', '')}, ffmpeg ${ffmpeg})${timesFormatter}.`
}

export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A figure with thousands apart, and so many decimals. */
export const formatNumber = (value: number, decimals = 0): string =>
  new Intl.NumberFormat('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)

/** With a sign. */
export const signedNumber = (value: number, decimals = 0): string =>
  `${value < 0 ? '-' : '+'} ${formatNumber(Math.abs(value), decimals)}`

export const formatPercent = (share: number, decimals = 0): string => `${formatNumber(share * 100, decimals)} %`

/** What was asked for, by `told` in its unit, and whether it was reached. */
export function goalText(figure: number, goal: BenchGoal, told: (value: number) => string): string {
  const wish = 'most' in goal ? `at most ${told(goal.most)}` : `at least ${told(goal.least)}`
  return `${wish}: ${meetsGoal(figure, goal) ? 'reached' : '**not reached**'}`
}

export const times = (decimals: number) => (value: number) => `${formatNumber(value, decimals)} x`
export const unitFormatter = (name: string) => (value: number) => `${formatNumber(value)} ${name}`
