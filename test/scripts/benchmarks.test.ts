import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Figures, goals, meetsGoal } from '../../bench/figures.ts'
import { laneFactors } from '../../bench/lane/factors.ts'
import factors from '../../lib/render/segments/lane-factors.json' with { type: 'json' }
import type { Results } from '../../scripts/benchmarks/markdown.ts'
import { benchmarksPage, readResults } from '../../scripts/benchmarks.ts'

const results = readResults()
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The results with other figures: integers stay integers. */
function changed(some: Results): Results {
  const other = (_name: string, value: unknown) =>
    typeof value !== 'number' ? value : Number.isInteger(value) ? value * 3 + 7 : value * 2.9 + 0.7
  return JSON.parse(JSON.stringify(some), other)
}

const sectionsOf = (page: string) => page.split('\n## ').slice(1)
/** Figures of three digits or more: shorter ones can be equal by chance. */
const figuresIn = (text: string) => new Set(text.match(/(?<![\w.])(\d[\d,]+\.\d+|\d\.\d{2,}|\d[\d,]{2,})(?![\w.]*\w)/g))
const proseOf = (section: string) =>
  section
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join('\n')
/** Without the inputs, which no run changes. */
const cellsOf = (section: string) =>
  section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.replace(/at (?:most|least) [^:|]+/g, '').split('|'))

describe('docs/operations/benchmarks.md', () => {
  it('is what `npm run benchmarks` writes', () => {
    expect(read('docs/operations/benchmarks.md')).toBe(benchmarksPage(results))
  })

  it('has every measured figure from the results, also in its prose', () => {
    const others = sectionsOf(benchmarksPage(changed(results)))
    for (const [index, section] of sectionsOf(benchmarksPage(results)).entries()) {
      const other = others[index]!
      const typed = figuresIn(proseOf(other)).intersection(figuresIn(proseOf(section)))
      const measured = new Set(
        cellsOf(section).flatMap((cell, at) => (cell === cellsOf(other)[at] ? [] : [...figuresIn(cell)])),
      )
      expect([...typed.intersection(measured)], section.split('\n')[0]).toEqual([])
    }
  })

  it('states where, when and next to what each was measured, and what is not measured yet', () => {
    for (const [name, result] of Object.entries(results)) {
      if (!result) continue
      const { command, date, machine, node, ffmpeg } = result
      expect([command, date, machine, node, ffmpeg], name).toEqual([
        expect.stringMatching(/^npm run (bench:\w+( -- \w+)?|compare --prefix bench\/remotion)$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        expect.stringMatching(/^\d+ x \w/),
        expect.stringMatching(/^v\d+\./),
        expect.stringMatching(/\w/),
      ])
    }
    expect(benchmarksPage({ ...results, upload: { ...results.upload!, quiet: false } })).toContain('beside other work')
    expect(benchmarksPage({}).match(/\*\*Not yet measured\.\*\*/g)).toHaveLength(sectionsOf(benchmarksPage({})).length)
  })

  it('has the figures of a frame that the lane of a render is chosen by', () => {
    expect(factors).toEqual(laneFactors(results.lane!.figures))
  })

  it('reports load errors by their code, and memory by its growth', () => {
    const row = { requests: 5_000, p50Ms: 6.2, p95Ms: 21, p99Ms: 48.5, errors: 3 }
    const figures: Figures['load'] = {
      load: { workspaces: 50, videosEach: 40, warmUpSeconds: 20, seconds: 100, perSecond: 50 },
      classes: { 'read a record': row },
      all: row,
      errors: { '429 rate-limited': 2, ECONNRESET: 1 },
      sentLateMs: 1.25,
      openAtMost: 9,
      memory: {
        heldMegabytes: [54, 54.1, 54.2],
        heldMegabytesPerMinute: 0.12,
        rssMegabytes: { first: 390, last: 400 },
      },
      service: { cpuShare: 0.25 },
    }
    const page = benchmarksPage({ load: { ...results.upload!, figures } })
    expect(page).toContain('| **all** | 5,000 | 6.2 | 21.0 | 48.5 | 3 |')
    expect(page).toContain('| errors | 2 x 429 rate-limited, 1 x ECONNRESET | at most 0: **not reached** |')
    expect(page).toContain('| 0.1 MB a minute (54.0, 54.1, 54.2 MB) | at most 1 MB a minute: reached |')
  })

  it('compares neighbours of a hostile workspace with the same traffic alone', () => {
    const latency = (p99Ms: number) => ({ requests: 100, p50Ms: 20, p95Ms: 50, p99Ms, errors: 0 })
    const figures: Figures['hostility'] = {
      rounds: 3,
      seconds: 60,
      classes: { GET: { alone: latency(100), beside: latency(250), p99Ratio: 2.5 } },
      renders: { alone: { renders: 9, medianSeconds: 5 }, beside: { renders: 8, medianSeconds: 6 }, ratio: 1.2 },
      errors: { '503 busy': 2 },
      memory: { heldMegabytes: { before: 100, after: 120 }, rssMegabytes: { before: 500, after: 600 } },
      hostile: { requests: 9_000, statuses: { 0: 500, 429: 8_000 }, attemptsAtFailingHosts: 300 },
    }
    const page = benchmarksPage({ hostility: { ...results.upload!, figures } })
    expect(page).toContain('sent 9,000 requests, of which 8,000 were refused with 429; 500 still waited')
    expect(page).toContain(
      '| GET of neighbours, p50 and p99 | 20.0, 100.0 ms | 20.0, 250.0 ms | 2.50 x, at most 2.00 x: **not reached** |',
    )
    expect(page).toContain('| a render, median | 5.0 s | 6.0 s | 1.20 x, at most 2.00 x: reached |')
    expect(page).toContain('| errors of neighbours, in all |  | 2 | at most 0: **not reached** |')
    expect(page).toContain('| 100 MB | 120 MB | 1.20 x, at most 1.10 x: **not reached** |')
  })

  it('computes which goals were reached', () => {
    expect(meetsGoal(1.2, goals.render.wallToFloor)).toBe(true)
    expect(meetsGoal(1.201, goals.render.wallToFloor)).toBe(false)
    expect(meetsGoal(299, goals.webhooks.perSecond)).toBe(false)
    const upload = (megabytes: number) => {
      const figures = { ...results.upload!.figures, megabytes }
      return benchmarksPage({ upload: { ...results.upload!, figures } })
    }
    expect(upload(120)).toContain('at most 120 MB: reached')
    expect(upload(121)).toContain('at most 120 MB: **not reached**')
  })
})
