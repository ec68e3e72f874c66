/** Every row with bodies of any content type and encoding: the response is always a documented one. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sortedRoutes } from '../../../lib/contract/openapi/document.ts'
import { exampleBody } from '../../support/fuzz/body-fuzzing.ts'
import { fillPath } from '../../support/fuzz/path-ids.ts'
import { hasNoAttemptsMax, pathIdsFor } from '../../support/fuzz/route-overrides.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { openApiViolation } from '../../support/openapi-validation.ts'
import { type ApiRequest, type ApiResponse, callApi, newWorld } from '../../support/world.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))

const types = [
  'APPLICATION/JSON; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'nonsense',
]

/** Bytes that are no text, or none in UTF-8. */
const bytes: [what: string, bytes: Uint8Array<ArrayBuffer>][] = [
  ['an overlong zero', new Uint8Array([0x7b, 0xc0, 0x80, 0x7d])],
  ['half a character', new Uint8Array([...utf8('{"prompt":"'), 0xf0, 0x9f, ...utf8('"}')])],
  ['a surrogate', new Uint8Array([...utf8('{"prompt":"'), 0xed, 0xa0, 0x80, ...utf8('"}')])],
  ['UTF-16', utf16('{"prompt":"x"}')],
  ['every byte there is', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
]

/** What is sent to rows that have no use for it. */
const useless = ['{', '[]', 'null', '{"a":1}', ' '.repeat(300_000), '['.repeat(100_000)]

const writing = sortedRoutes.filter((whole) => whole.method !== 'GET' && hasNoAttemptsMax(whole))

describe.each(writing)('$method $path', (whole) => {
  const { row, method, path } = whole
  const place = writing.indexOf(whole)
  const text = row.body ? JSON.stringify(exampleBody(whole)) : '{}'

  /** Sends to what a workspace of its own has; what was taken may have changed that, so the next one gets another. */
  async function newSender() {
    const world = await newWorld()
    let ids = await pathIdsFor(whole, world)
    return async (sent: ApiRequest) => {
      const answer = await callApi(method, fillPath(path, ids), { key: world.apiKey, ...sent })
      if (answer.status < 300) ids = await pathIdsFor(whole, world)
      return answer
    }
  }
  let send: (sent: ApiRequest) => Promise<ApiResponse>
  beforeAll(async () => {
    send = await newSender()
  })

  it('accepts its body under every content type', async () => {
    const seen: string[] = []
    for (const type of ['application/json', ...rotatingSample(types, place, 3)]) {
      const answer = await send({ body: utf8(text), headers: { 'Content-Type': type } })
      seen.push(`${answer.status} ${openApiViolation(method, path, answer) ?? ''}`)
    }
    expect(new Set(seen)).toEqual(new Set([seen[0]]))
    expect(seen[0]).toMatch(/^[24]\d\d $/)
  })

  it('does not fail on bytes that are not text', async () => {
    const problems: string[] = []
    for (const [index, [what, body]] of rotatingSample(bytes, place, 4).entries()) {
      // Each under both, in one row or another.
      const type = ['application/json', 'application/octet-stream'][(index + Math.floor(place / 2)) % 2]!
      const answer = await send({ body, headers: { 'Content-Type': type } })
      const difference = openApiViolation(method, path, answer)
      if (difference || answer.status >= 500) problems.push(`${what} as ${type}: ${answer.status} ${difference}`)
    }
    expect(problems.slice(0, 20)).toEqual([])
  })

  it.skipIf(row.body)('ignores a body that it does not need', async () => {
    const problems: string[] = []
    for (const body of rotatingSample(useless, place, 5)) {
      const answer = await send({ body })
      const difference = openApiViolation(method, path, answer)
      if (difference || answer.status === 400) problems.push(`${body.slice(0, 10)}: ${answer.status} ${difference}`)
    }
    expect(problems.slice(0, 20)).toEqual([])
  })
})
