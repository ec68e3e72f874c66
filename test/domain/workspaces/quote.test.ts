/** Quotes: the price of one request for 15 minutes, which nobody can change or use for another request. */
import { describe, expect, it } from 'vitest'
import type { Charge } from '../../../lib/domain/core/credits.ts'
import type { RecordChange } from '../../../lib/domain/records/decision.ts'
import {
  createQuote,
  generatedSeconds,
  priceOfDecision,
  type QuotedRequest,
  readQuote,
  refuseOtherPrice,
} from '../../../lib/domain/workspaces/quote.ts'
import { refusalOf } from '../../support/refusals.ts'
import { at, briefWith, videoInputWith, videoThatIs } from '../support/videos.ts'

const request: QuotedRequest = ['POST /videos', { id: 'vid_1' }, { prompt: 'An idea' }]
const price = { credits: 30, unit: 'video' as const }
const { id, expiresAt } = createQuote('secret', request, price, at(0))
const read = (id: string, secret = 'secret', other = request, now = at(1)) => readQuote(id, secret, other, now)

describe('a quote', () => {
  it('holds its price for 15 minutes, exact to the millisecond', () => {
    expect(expiresAt).toBe(at(15 * 60))
    expect(read(id)).toEqual(price)
    expect(read(id, 'secret', request, at(15 * 60 - 0.001))).toEqual(price)
    expect(refusalOf(() => read(id, 'secret', request, at(15 * 60)))).toMatchObject({
      code: 'quote-expired',
      message: expect.stringContaining('has expired'),
    })
  })

  it('is a text of at most 80 characters', () => {
    const long = createQuote('secret', request, { credits: 999_999_999, unit: 'avatar' }, at(0))
    expect(long.id).toMatch(/^qte_999999999_avatar_\d{13}_[\w-]{22}$/)
    expect(long.id.length).toBeLessThanOrEqual(80)
    expect(read(long.id)).toEqual({ credits: 999_999_999, unit: 'avatar' })
  })

  it.each<[string, () => unknown]>([
    ['another price', () => read(id.replace('_30_', '_3_'))],
    ['another unit', () => read(id.replace('_video_', '_avatar_'))],
    ['a later end', () => read(id.replace(/_(\d{13})_/, (_, end) => `_${Number(end) + 1}_`))],
    ['another signature', () => read(`${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`)],
    ['a shorter signature', () => read(id.slice(0, -1))],
    ['the secret of another workspace', () => read(id, 'other')],
    ['another route', () => read(id, 'secret', ['POST /clips', request[1], request[2]])],
    ['other ids', () => read(id, 'secret', [request[0], { id: 'vid_2' }, request[2]])],
    ['another body', () => read(id, 'secret', [request[0], request[1], {}])],
    ['no price at all', () => read('qte_')],
  ])('is refused with %s', (_name, attempt) => {
    expect(refusalOf(attempt)).toMatchObject({
      code: 'quote-expired',
      message: expect.stringContaining('not for this request'),
    })
  })
})

describe('the price of a decision', () => {
  const charge = (kind: Charge['kind'], credits: number, unit: Charge['unit'] = 'video'): Charge => ({
    ...{ kind, credits, unit, runId: 'run_1', metered: true },
  })

  it('is the sum of what it reserves', () => {
    const charges = [charge('release', 100), charge('reserve', 3, 'avatar'), charge('reserve', 4, 'avatar')]
    expect(priceOfDecision({ charges })).toEqual({ credits: 7, unit: 'avatar' })
    expect(priceOfDecision({ charges: [] })).toEqual({ credits: 0, unit: 'video' })
  })

  it('is for the longest video that it generates', () => {
    const generation = { ...charge('reserve', 10), generation: { limit: null } }
    const changeOf = (seconds: number): RecordChange => ({
      ...{ record: 'video', before: undefined },
      after: videoThatIs.queued(videoInputWith({ brief: briefWith({ targetDuration: seconds }) })),
    })
    const changes = [changeOf(30), changeOf(90), changeOf(60)]
    expect(generatedSeconds({ charges: [charge('reserve', 1), generation], changes })).toBe(90)
    expect(generatedSeconds({ charges: [charge('reserve', 1)], changes })).toBeNull()
    const removal: RecordChange = {
      ...{ record: 'video', before: videoThatIs.queued(), after: undefined },
      ...{ holdings: { storedBytes: 0, clips: 0 }, parentIsGone: false },
    }
    expect(generatedSeconds({ charges: [generation], changes: [removal, changeOf(30)] })).toBe(30)
    expect(generatedSeconds({ charges: [generation], changes: [] })).toBe(0)
  })

  it.each([
    [undefined, price, undefined],
    [price, price, undefined],
    [price, { ...price, credits: 31 }, 'quote-expired'],
    [price, { ...price, credits: 29 }, 'quote-expired'],
    [price, { ...price, unit: 'avatar' as const }, 'quote-expired'],
    [{ ...price, credits: 0 }, { credits: 0, unit: 'avatar' as const }, undefined],
  ])('of a quote %j is the one that was quoted: %j', (quoted, asked, code) => {
    expect(refusalOf(() => refuseOtherPrice(quoted, asked))?.code).toBe(code)
  })
})
