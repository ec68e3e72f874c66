/** `npm run listen`: `reelsmith listen` as a process, next to a local run. How it survives cuts: test/packages/cli-listen.test.ts. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Runtime } from '../../local/runtime.ts'
import type { Client } from '../../packages/client/index.js'
import { verifyWebhook } from '../../packages/client/webhooks.js'
import { newCommandDirectory } from '../pipelines/shared-service.ts'
import { respondWithStatus, startTestReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { firstWorkspaceClient, type ScriptProcess, spawnScript } from './script-process.ts'

let directory: string
let runtime: Runtime
let remove: () => void
let client: Client

beforeAll(async () => {
  ;({ directory, runtime, remove } = await newCommandDirectory())
  client = firstWorkspaceClient({ runtime })
})
afterAll(() => remove())

const start = (...words: string[]) => spawnScript('reelsmith.ts', ['--local', 'listen', ...words], directory)

/** A listener that is ready. */
async function listening(...words: string[]): Promise<ScriptProcess> {
  const command = start(...words)
  await waitFor('it listens', () => command.errors().includes('Ctrl-C'))
  return command
}

/** Only its creation emits an event: it is deleted at once, so that it is never generated. */
async function createVideo(): Promise<string> {
  const { id } = await client.videos.create({ text: 'Mornings.', title: 'Calm mornings' })
  await client.videos.delete(id)
  return id
}

const eventsOf = ({ output }: ScriptProcess) =>
  output()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe('npm run listen', () => {
  it('prints the envelope of each event in a pipe, a line for people, and ends at Ctrl-C', async () => {
    const [read, shown] = await Promise.all([listening(), listening('--human')])
    const id = await createVideo()
    const event = await waitFor('the event', () => eventsOf(read).find(({ data }) => data.video.id === id))
    expect(event).toMatchObject({ event: 'video.created', workspaceId: runtime.workspaceId })
    expect(event.sequence).toBeGreaterThan(0)
    const line = await waitFor('its line', () =>
      shown
        .output()
        .split('\n')
        .find((text) => text.includes(id)),
    )
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}video\.created {15}vid_\w{26} {2}"Calm mornings"$/)
    for (const { interrupt, ended } of [read, shown]) {
      interrupt()
      expect(await ended).toBe(0)
    }
  })

  it('forwards what a webhook endpoint would receive, also what happened while it did not run', async () => {
    const [program, endpoint] = await Promise.all([startTestReceiver(), startTestReceiver()])
    for (const { stop } of [program, endpoint]) onTestFinished(stop)
    program.answering = respondWithStatus(204)
    const webhook = await client.webhooks.create({ url: `${endpoint.url}/hook`, events: ['video.created'] })
    const words = ['--forward', `${program.url}/hook`, '--events', 'video.created']
    const { interrupt, ended, output } = await listening(...words)
    await createVideo()
    await waitFor('the first event', () => output().includes('204 in'))
    interrupt()
    await ended
    await createVideo()
    const second = await listening(...words)
    await waitFor('the second event', () => second.output().includes('204 in'))
    await waitFor('the deliveries', () => endpoint.posts.length === 2)
    const bodies = (posts: { body: Buffer }[]) => posts.map(({ body }) => body.toString()).toSorted()
    expect(bodies(program.posts)).toEqual(bodies(endpoint.posts))
    const names = (posts: typeof program.posts) =>
      Object.keys(posts[0]!.headers).filter((name) => /^(x-|webhook-|user-)/.test(name))
    expect(names(program.posts).toSorted()).toEqual(names(endpoint.posts).toSorted())
    const { output: secret, ended: printed } = start('--print-secret')
    await printed
    for (const { body, headers } of program.posts) await verifyWebhook(body, headers, secret().trim())
    for (const { body, headers } of endpoint.posts) await verifyWebhook(body, headers, webhook.secret)
  })
})
