/** Every body of every row: whatever stands in it, the answer is one that the document names, and a refusal changes nothing. */
import { describe, expect, it } from 'vitest'
import { statusOf } from '../../lib/contract/errors.ts'
import { rows } from '../../lib/contract/openapi/document.ts'
import { brokenTexts, exampleOf, refusalOf, type Trial, trialsOf } from '../support/fuzz/body-fuzzing.ts'
import { withIds } from '../support/fuzz/path-ids.ts'
import { givenIds, triesOf } from '../support/fuzz/route-overrides.ts'
import { partOf } from '../support/fuzz/volume.ts'
import { atOnce } from '../support/map-concurrently.ts'
import { documentTakes, undocumented } from '../support/openapi-validation.ts'
import { call, newWorld, type World } from '../support/world.ts'

/** What is stored, as far as a client sees it. */
async function seen({ apiKey }: World, ids: Record<string, string>) {
  const paths = [
    '/',
    '/videos?limit=100',
    '/automations?limit=100',
    '/webhooks',
    ...(ids.id?.startsWith('vid_') ? [`/videos/${ids.id}?include=${heavy}`] : []),
  ]
  return Promise.all(paths.map(async (path) => (await call('GET', path, { key: apiKey })).body))
}
const heavy = 'captions,captionsPages,bRolls,presentationScenes,scenes'

const withBody = rows.filter(({ row }) => row.body)

describe.each(withBody)('$method $path', (whole) => {
  const { method, path } = whole
  const place = withBody.indexOf(whole)
  const trials = [...trialsOf(whole), ...brokenTexts(whole)].map((trial) => ({
    ...trial,
    code: refusalOf(whole, trial.text),
  }))
  const send = (world: World, ids: Record<string, string>, { text }: Trial) =>
    call(method, withIds(path, ids), { key: world.apiKey, body: text })

  it('has an example that its schema takes', () => {
    expect(refusalOf(whole, JSON.stringify(exampleOf(whole)))).toBeUndefined()
  })

  it('refuses what the schema refuses, as documented, and stores nothing of it', async () => {
    const world = await newWorld()
    const ids = await givenIds(whole, world)
    const before = await seen(world, ids)
    const refused = trials.filter(({ code, isSent }) => isSent && code !== undefined)
    const wrong = partOf(refused, place, 5)
    const problems = await atOnce(8, wrong, async (trial) => {
      const answer = await send(world, ids, trial)
      if (answer.status !== statusOf[trial.code!])
        return `${trial.what}: ${answer.status}, not ${statusOf[trial.code!]}`
      const difference = undocumented(method, path, answer)
      return difference && `${trial.what}: ${difference}`
    })
    expect(problems.filter(Boolean).slice(0, 20)).toEqual([])
    expect(await seen(world, ids)).toEqual(before)
  })

  it('answers as documented what the schema takes, and stores nothing where it still refuses', async () => {
    const world = await newWorld()
    const ids = await givenIds(whole, world)
    const before = await seen(world, ids)
    const fitting = trials.filter(({ code, isSent }) => isSent && code === undefined)
    const taken = partOf(fitting, place, 3).slice(0, triesOf(whole))
    // Many writers of one record are told to come again; those of the list do not meet.
    const writers = path.includes('{') ? 1 : 8
    let made = 0
    const problems = await atOnce(writers, taken, async (trial) => {
      const answer = await send(world, ids, trial)
      if (answer.status < 300) made++
      if (answer.status >= 500) return `${trial.what}: ${answer.status}`
      const difference = undocumented(method, path, answer)
      return difference && `${trial.what}: ${difference}`
    })
    expect(problems.filter(Boolean).slice(0, 20)).toEqual([])
    if (made === 0) expect(await seen(world, ids)).toEqual(before)
  })

  it('takes nothing that the document says it does not', () => {
    const lax = trials
      .filter(({ code, text }) => code === undefined && text.trim() !== '')
      .filter(({ text }) => !documentTakes(method, path, JSON.parse(text)))
    expect(lax.map(({ what }) => what).slice(0, 20)).toEqual([])
  })
})
