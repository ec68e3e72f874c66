/** Every row with generated bodies: the response is one that the document names, and a refusal changes nothing. */
import { describe, expect, it } from 'vitest'
import { httpStatusOf } from '../../../lib/contract/errors.ts'
import { sortedRoutes } from '../../../lib/contract/openapi/document.ts'
import {
  exampleBody,
  type FuzzCase,
  fuzzCases,
  malformedBodies,
  parseRefusalCode,
} from '../../support/fuzz/body-fuzzing.ts'
import { fillPath } from '../../support/fuzz/path-ids.ts'
import { pathIdsFor, routeAttemptsMax } from '../../support/fuzz/route-overrides.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { mapConcurrently } from '../../support/map-concurrently.ts'
import { matchesRequestSchema, openApiViolation } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'

/** What is stored, as far as a client sees it. */
async function seen({ apiKey }: World, ids: Record<string, string>) {
  const paths = [
    '/',
    '/videos?limit=100',
    '/automations?limit=100',
    '/webhooks',
    ...(ids.id?.startsWith('vid_') ? [`/videos/${ids.id}?include=${heavy}`] : []),
  ]
  return Promise.all(paths.map(async (path) => (await callApi('GET', path, { key: apiKey })).body))
}
const heavy = 'captions,captionsPages,bRolls,presentationScenes,scenes'

const withBody = sortedRoutes.filter(({ row }) => row.body)

describe.each(withBody)('$method $path', (whole) => {
  const { method, path } = whole
  const place = withBody.indexOf(whole)
  const trials = [...fuzzCases(whole), ...malformedBodies(whole)].map((trial) => ({
    ...trial,
    code: parseRefusalCode(whole, trial.text),
  }))
  const send = (world: World, ids: Record<string, string>, { text }: FuzzCase) =>
    callApi(method, fillPath(path, ids), { key: world.apiKey, body: text })

  it('has an example that its schema accepts', () => {
    expect(parseRefusalCode(whole, JSON.stringify(exampleBody(whole)))).toBeUndefined()
  })

  it('refuses what the schema refuses, as documented, and stores nothing', async () => {
    const world = await newWorld()
    const ids = await pathIdsFor(whole, world)
    const before = await seen(world, ids)
    const refused = trials.filter(({ code, isSent }) => isSent && code !== undefined)
    const wrong = rotatingSample(refused, place, 5)
    const problems = await mapConcurrently(8, wrong, async (trial) => {
      const answer = await send(world, ids, trial)
      if (answer.status !== httpStatusOf[trial.code!])
        return `${trial.what}: ${answer.status}, not ${httpStatusOf[trial.code!]}`
      const difference = openApiViolation(method, path, answer)
      return difference && `${trial.what}: ${difference}`
    })
    expect(problems.filter(Boolean).slice(0, 20)).toEqual([])
    expect(await seen(world, ids)).toEqual(before)
  })

  it('answers what the schema accepts as documented, and stores nothing where it still refuses', async () => {
    const world = await newWorld()
    const ids = await pathIdsFor(whole, world)
    const before = await seen(world, ids)
    const fitting = trials.filter(({ code, isSent }) => isSent && code === undefined)
    const taken = rotatingSample(fitting, place, 3).slice(0, routeAttemptsMax(whole))
    // Concurrent writers of one record conflict; those that create records do not.
    const writers = path.includes('{') ? 1 : 8
    let made = 0
    const problems = await mapConcurrently(writers, taken, async (trial) => {
      const answer = await send(world, ids, trial)
      if (answer.status < 300) made++
      if (answer.status >= 500) return `${trial.what}: ${answer.status}`
      const difference = openApiViolation(method, path, answer)
      return difference && `${trial.what}: ${difference}`
    })
    expect(problems.filter(Boolean).slice(0, 20)).toEqual([])
    if (made === 0) expect(await seen(world, ids)).toEqual(before)
  })

  it('accepts nothing that the document excludes', () => {
    const lax = trials
      .filter(({ code, text }) => code === undefined && text.trim() !== '')
      .filter(({ text }) => !matchesRequestSchema(method, path, JSON.parse(text)))
    expect(lax.map(({ what }) => what).slice(0, 20)).toEqual([])
  })
})
