/** The header `If-Match`, as RFC 9110 writes it. */
import { expect, it } from 'vitest'
import { strongTagsOf } from '../../lib/http/if-match.ts'
import { refusalOf } from '../support/refusals.ts'

const tagsOf = (header: string) => strongTagsOf({ 'if-match': header })

it.each([
  ['"a"', ['"a"']],
  ['"a", "b"', ['"a"', '"b"']],
  [' "a"\t,,"b" , ', ['"a"', '"b"']],
  ['"a,b"', ['"a,b"']],
  ['""', ['""']],
  // Strong comparison: a weak tag matches nothing.
  ['W/"a"', []],
  ['W/"a", "b"', ['"b"']],
])('%s names %j', (header, tags) => {
  expect(tagsOf(header)).toEqual(tags)
})

it('binds the edit to no revision: no header, and `*`', () => {
  expect(strongTagsOf({})).toBeUndefined()
  expect(tagsOf('*')).toBeUndefined()
})

it.each(['', ' , ', 'a', '"a', 'a"', '"a" "b"', '"a"b', 'w/"a"', 'W/ "a"', '*, "a"', '"a", *', "'a'"])(
  '400: %j is malformed',
  (header) => {
    const refusal = refusalOf(() => tagsOf(header))
    expect(refusal).toMatchObject({ code: 'invalid-request', extras: { details: [{ path: 'headers.If-Match' }] } })
  },
)

it('400: at most 2,048 characters are read', () => {
  expect(tagsOf(`"${'a'.repeat(2_046)}"`)).toHaveLength(1)
  const refusal = refusalOf(() => tagsOf(`"${'a'.repeat(2_047)}"`))
  expect(refusal).toMatchObject({ code: 'invalid-request', extras: { details: [{ path: 'headers.If-Match' }] } })
})
