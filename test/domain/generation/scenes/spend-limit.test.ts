/** What edited scenes of a video may buy from vendors on a day. */
import { describe, expect, it } from 'vitest'
import {
  capturePurchases,
  purchasesPerDayMax,
  reservePurchases,
} from '../../../../lib/domain/generation/scenes/spend-limit.ts'
import type { Video } from '../../../../lib/domain/records/video.ts'
import { at, videoThatIs } from '../../support/videos.ts'

const day = at(0).slice(0, 10)
const fresh = videoThatIs.generated()
const reserve = (video: Video, runId: string, wanted: number, now = at(0)) =>
  reservePurchases(video, 'clips', runId, wanted, now).video
const capture = (video: Video, runId: string, remaining: number, now = at(0)) =>
  capturePurchases(video, 'clips', runId, remaining, now).video

describe('the daily spend limit', () => {
  it('counts what a run has bought of its reservation, and releases the rest', () => {
    const reserved = reserve(fresh, 'run_1', 5)
    expect(reserved.purchases).toEqual({ day, sounds: 0, clips: 0, held: { 'clips#run_1': 5 } })
    expect(capture(reserved, 'run_1', 2).purchases).toEqual({ day, sounds: 0, clips: 3 })
    expect(capture(reserved, 'run_1', 9).purchases).toEqual({ day, sounds: 0, clips: 0 })
  })

  it('counts nothing for a run that wants and buys nothing', () => {
    expect(reserve(fresh, 'run_1', 0).purchases).toMatchObject({ clips: 0, held: { 'clips#run_1': 0 } })
    expect(capture(fresh, 'run_1', 0).purchases).toEqual({ day, sounds: 0, clips: 0 })
  })

  it('changes nothing else of the video', () => {
    const reserved = reserve(fresh, 'run_1', 5)
    expect(reserved).toEqual({ ...fresh, version: fresh.version + 1, purchases: reserved.purchases })
    const captured = capture(reserved, 'run_1', 2)
    expect(captured).toEqual({ ...fresh, version: fresh.version + 2, purchases: captured.purchases })
  })

  it('keeps the reservations of other runs', () => {
    const both = reserve(reserve(fresh, 'run_1', 5), 'run_2', 4)
    expect(capture(both, 'run_1', 0).purchases).toEqual({ day, sounds: 0, clips: 5, held: { 'clips#run_2': 4 } })
  })

  it('is not exceeded by two runs together, and is reached exactly', () => {
    const reserved = reserve(fresh, 'run_1', purchasesPerDayMax - 3)
    expect(reserve(reserved, 'run_2', 3).purchases?.held).toMatchObject({ 'clips#run_2': 3 })
    expect(() => reserve(reserved, 'run_2', 4)).toThrow(
      `The edited scenes need 4 new clips; ${purchasesPerDayMax - 3} of ${purchasesPerDayMax} were made today.`,
    )
    expect(reservePurchases(reserved, 'sounds', 'run_2', 4, at(0)).video.purchases?.held).toMatchObject({
      'sounds#run_2': 4,
    })
  })

  it('counts as bought what a crashed run had reserved and its retry no longer wants', () => {
    expect(reserve(reserve(fresh, 'run_1', 5), 'run_1', 2).purchases).toEqual({
      day,
      sounds: 0,
      clips: 3,
      held: { 'clips#run_1': 2 },
    })
  })

  it('begins anew on the next day (UTC)', () => {
    const spent = capture(reserve(fresh, 'run_1', purchasesPerDayMax), 'run_1', 0)
    expect(() => reserve(spent, 'run_2', 1)).toThrow('Render again tomorrow.')
    expect(reserve(spent, 'run_2', 1, at(86_400)).purchases).toMatchObject({ clips: 0, held: { 'clips#run_2': 1 } })
  })
})
