/** Every query of every row: bounds, wrong texts, repeated and unknown parameters never cost more than a documented 400. */
import { beforeAll, describe, expect, it } from 'vitest'
import { authenticatedRoutes } from '../../../lib/contract/openapi/document.ts'
import { createPathIds, fillPath } from '../../support/fuzz/path-ids.ts'
import { hasNoAttemptsMax, pathIdsFor } from '../../support/fuzz/route-overrides.ts'
import { boundaryValues, schemaPaths } from '../../support/fuzz/schema-values.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { openApiViolation } from '../../support/openapi-validation.ts'
import { parseRefusal } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { dispatchAll } from '../../workers/support/run-workers.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
  // An event, so that reading the journal does not wait for one.
  await createPathIds(world, '/videos/{id}')
  await dispatchAll(world.workspaceId)
})

const wrongTexts = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '00000000000000000001',
  '1.5',
  '1e3',
  '0x10',
  '+5',
  '5 ',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  'toString',
  '__proto__',
  'constructor',
  '٣',
  '%',
  ',',
  ',,,',
  '[]',
  '{"a":1}',
  "'; DROP TABLE videos",
  '#VIDEO',
  '\u0000',
  '😀',
  'ß',
  'İ',
  'a'.repeat(4_000),
  '9'.repeat(400),
]

/** Addresses as no `URLSearchParams` would write them. */
const strange = (name: string) => [
  `${name}`,
  `${name}=`,
  `${name}=1&${name}=2`,
  `${name}[]=1`,
  `${name}[a]=1`,
  `${name}=%`,
  `${name}=%ZZ`,
  `${name}=%ED%A0%80`,
  `${name}=%00`,
  `${name}=+5`,
  `${name.toUpperCase()}=x`,
  `=${name}`,
  '&&&',
  '=',
]
const unknown = ['unknown=1', '__proto__=1', '__proto__[limit]=1', 'constructor=1', 'toString=x', 'hasOwnProperty=1']

/** What comes twice reaches the row joined by a comma. */
function joined(query: string): Record<string, string> {
  const all = new URLSearchParams(query)
  return Object.fromEntries([...all.keys()].map((name) => [name, all.getAll(name).join(',')]))
}

const reading = authenticatedRoutes.filter((whole) => whole.method === 'GET' && hasNoAttemptsMax(whole))

describe.each(reading)('$method $path', (whole) => {
  const { row, method, path } = whole
  const places = row.query ? schemaPaths(row.query) : []
  const queries = [
    ...places.flatMap(({ path: [name], schema }) => [
      ...[...boundaryValues(schema), ...wrongTexts].map((value) => `${name}=${encodeURIComponent(String(value))}`),
      ...strange(String(name)),
    ]),
    ...unknown,
  ]
  it('200 or 400: as the schema and the document say', async () => {
    const ids = await pathIdsFor(whole, world)
    const expected = await callApi(method, fillPath(path, ids), { key: world.apiKey })
    const problems: string[] = []
    for (const query of rotatingSample(queries, reading.indexOf(whole), 3)) {
      const answer = await callApi(method, `${fillPath(path, ids)}?${query}`, { key: world.apiKey })
      const status = parseRefusal(row, { query: joined(query) }) === undefined ? expected.status : 400
      if (answer.status !== status) problems.push(`${query}: ${answer.status}, not ${status}`)
      const difference = openApiViolation(method, path, answer)
      if (difference) problems.push(`${query}: ${difference}`)
    }
    expect(problems.slice(0, 20)).toEqual([])
  })
})
