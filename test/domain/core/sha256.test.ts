/** The digest of seeds equals that of Node, also for lone surrogates and at the edges of blocks. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../../../lib/domain/core/sha256.ts'

const digestOfNode = (text: string) => createHash('sha256').update(text).digest('hex')
const digest = (text: string) => Buffer.from(sha256(text)).toString('hex')

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000])('has the digest of %i letters', (length) => {
  const text = 'a'.repeat(length)
  expect(digest(text)).toBe(digestOfNode(text))
})

it('has the digest of any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => digest(text) === digestOfNode(text)))
})
