/** How long a client is willing to wait, by its `Prefer` header. */
import { describe, expect, it } from 'vitest'
import { preferredWaitSeconds } from '../../lib/http/prefer-header.ts'

describe('the seconds that a response may wait', () => {
  it.each([
    [undefined, 10],
    ['wait=0', 0],
    ['wait=25', 25],
    ['wait=26', 25],
    ['wait=999999999', 25],
    ['WAIT = "7"', 7],
    ['respond-async, wait=7', 7],
    ['respond-async; foo=1, wait=7; bar', 7],
    // What is not understood is no error, and no wish.
    ['wait=', 10],
    ['wait=-1', 10],
    ['wait=1.5', 10],
    ['wait=soon', 10],
    ['await=3', 10],
    ['respond-async', 10],
  ])('of %s are %d', (prefer, seconds) => {
    expect(preferredWaitSeconds(prefer === undefined ? {} : { prefer }, 10)).toBe(seconds)
  })
})
