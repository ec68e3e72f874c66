/** `ETag` and `If-Match`: edits that apply only to the video that the client has read. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sortedRoutes } from '../../../lib/contract/openapi/document.ts'
import { isRevisedEdit } from '../../../lib/contract/route.ts'
import { exampleBody } from '../../support/fuzz/body-fuzzing.ts'
import { fillPath } from '../../support/fuzz/path-ids.ts'
import { pathIdsFor } from '../../support/fuzz/route-overrides.ts'
import { given } from '../../support/given/videos.ts'
import { openApiViolation } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, path: string, body?: unknown, ifMatch?: string) =>
  callApi(method, path, { key: world.apiKey, body, headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch } })

const newPath = async () => `/videos/${(await given.generatedVideo(world)).id}`

const tagOf = async (path: string) => (await send('GET', path)).headers.get('etag')!

const conflict = expectedError(412, 'precondition-failed')

const revised = sortedRoutes.filter(({ row }) => row.revised)
const edits = revised.filter(({ row }) => isRevisedEdit(row))
/** The example of a new scene names one in front of it, which the video does not have. */
const bodyFor = (whole: (typeof revised)[number]) => {
  if (whole.name === 'addScene') return {}
  return whole.row.body && exampleBody(whole)
}

describe.each(revised)('$method $path', (row) => {
  it('responds with the revision that a read has afterwards', async () => {
    const ids = await pathIdsFor(row, world)
    const answer = await send(row.method, fillPath(row.path, ids), bodyFor(row))
    expect(answer.status).toBeLessThan(300)
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(answer.headers.get('etag')).toBe(await tagOf(`/videos/${ids.id}`))
    expect(openApiViolation(row.method, row.path, answer)).toBeUndefined()
  })
})

describe.each(edits)('$method $path', (row) => {
  it('412: the video has changed since; the edit applies to the revision that is current', async () => {
    const ids = await pathIdsFor(row, world)
    const [video, path, body] = [`/videos/${ids.id}`, fillPath(row.path, ids), bodyFor(row)]
    const read = await tagOf(video)
    const { headers } = await send('PATCH', `${video}/config`, { captionsFontSize: 64 })
    const before = (await send('GET', video)).body
    const refused = await send(row.method, path, body, read)
    expect(refused).toMatchObject(conflict)
    expect(openApiViolation(row.method, row.path, refused)).toBeUndefined()
    expect((await send('GET', video)).body).toEqual(before)
    expect((await send(row.method, path, body, headers.get('etag')!)).status).toBeLessThan(300)
  })

  it('400: the header is malformed; 404 for a video that is not there, whatever the header', async () => {
    const ids = await pathIdsFor(row, world)
    const body = bodyFor(row)
    expect(await send(row.method, fillPath(row.path, ids), body, 'unquoted')).toMatchObject(
      expectedError(400, 'invalid-request', { details: [{ path: 'headers.If-Match' }] }),
    )
    const missing = fillPath(row.path, { ...ids, id: 'vid_none' })
    expect(await send(row.method, missing, body, '*')).toMatchObject(expectedError(404, 'not-found'))
  })
})

describe('If-Match', () => {
  it('takes `*` and lists; weak tags match nothing', async () => {
    const path = await newPath()
    const edit = (ifMatch: string) => send('PATCH', path, { title: 'Quiet' }, ifMatch)
    expect((await edit('*')).status).toBe(200)
    expect((await edit(`"other", ${await tagOf(path)}`)).status).toBe(200)
    expect(await edit(`W/${await tagOf(path)}`)).toMatchObject(conflict)
    expect(await edit('"other"')).toMatchObject(conflict)
  })

  it('lets exactly one of concurrent edits of the same revision win', async () => {
    const path = await newPath()
    const read = await tagOf(path)
    const sizes = [31, 32, 33, 34, 35, 36, 37, 38]
    const answers = await Promise.all(
      sizes.map((size, index) =>
        index % 2
          ? send('PATCH', `${path}/config`, { captionsFontSize: size }, read)
          : send('PUT', `${path}/captions`, { captions: [{ startMs: 0, endMs: size, text: 'x' }] }, read),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(sizes.length - 1)
    expect(won).toHaveLength(1)
    expect(await tagOf(path)).toBe(won[0]!.headers.get('etag'))
  })

  it('applies to a video whose render was queued meanwhile', async () => {
    const { id } = await given.generatedVideo(world)
    const read = await tagOf(`/videos/${id}`)
    expect((await send('POST', `/videos/${id}/render`)).status).toBe(202)
    expect(await tagOf(`/videos/${id}`)).toBe(read)
    expect((await send('PATCH', `/videos/${id}`, { title: 'Quiet' }, read)).status).toBe(200)
  })

  it('is not needed: without it the last edit counts', async () => {
    const path = await newPath()
    expect((await send('PATCH', path, { title: 'One' })).status).toBe(200)
    expect((await send('PATCH', path, { title: 'Two' })).status).toBe(200)
  })
})
