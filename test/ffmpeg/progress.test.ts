import { describe, expect, it } from 'vitest'
import { parseProgress } from '../../lib/ffmpeg/progress.ts'

const report = (frame: number, state: string) =>
  `frame=${frame}\nfps=25.1\nbitrate=N/A\ntotal_size=2048\nout_time_us=1500000\nout_time_ms=1500000\nspeed= 190x\nprogress=${state}\n`

describe('reports of ffmpeg', () => {
  it('are parsed wherever the text was split', () => {
    const text = report(1, 'continue') + report(42, 'end')
    for (let cut = 0; cut <= text.length; cut++) {
      const first = parseProgress(text.slice(0, cut))
      const second = parseProgress(first.rest + text.slice(cut))
      const reports = [...first.reports, ...second.reports]
      expect(reports.map(({ frame, ended }) => [frame, ended])).toEqual([
        [1, false],
        [42, true],
      ])
      expect(second.rest).toBe('')
    }
  })
  it('have the length in milliseconds and zero for unknown values', () => {
    const { reports } = parseProgress('frame=7\ntotal_size=N/A\nout_time_us=2000000\nprogress=continue\n')
    expect(reports).toEqual([{ frame: 7, outTimeMs: 2000, bytes: 0, ended: false }])
  })
})
