/** The wait time that a client accepts, from its `Prefer` header. */
import { describe, expect, it } from 'vitest'
import { preferredWaitSeconds } from '../../lib/http/prefer-header.ts'

describe('the maximum wait of a response', () => {
  it.each([
    [undefined, 10],
    ['wait=0', 0],
    ['wait=25', 25],
    ['wait=26', 25],
    ['wait=999999999', 25],
    ['WAIT = "7"', 7],
    ['respond-async, wait=7', 7],
    ['respond-async; foo=1, wait=7; bar', 7],
    // An invalid value is ignored, without an error.
    ['wait=', 10],
    ['wait=-1', 10],
    ['wait=1.5', 10],
    ['wait=soon', 10],
    ['await=3', 10],
    ['respond-async', 10],
    [`wait=7;${' '.repeat(247)}`, 7],
    // Longer than the document allows.
    [`wait=7;${' '.repeat(249)}`, 10],
  ])('for %s is %d s', (prefer, seconds) => {
    expect(preferredWaitSeconds(prefer === undefined ? {} : { prefer }, 10)).toBe(seconds)
  })
})
