import { expect, it } from 'vitest'
import { fullAtAfter, msUntilToken, tokensLeft } from '../../../lib/domain/core/token-bucket.ts'

const bucket = { capacity: 10, refillMs: 1_000 }
const now = 50_000

it.each([
  ['that is full', now, 10],
  ['that has been full for a while', now - 9_000, 10],
  ['that three tokens were taken from', now + 300, 7],
  ['that is empty', now + 1_000, 0],
  ['that lent a token', now + 1_100, 0],
])('a bucket %s has its tokens, and takes more from then on', (_, fullAt, tokens) => {
  expect(tokensLeft(fullAt, bucket, now)).toBe(tokens)
  expect(fullAtAfter(fullAt, 2, bucket, now)).toBe(Math.max(fullAt, now) + 200)
  expect(msUntilToken(fullAt, bucket, now)).toBe(tokens > 0 ? 0 : fullAt - now - 900)
})
