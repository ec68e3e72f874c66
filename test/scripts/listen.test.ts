/** `npm run listen`, next to a local run. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventTypes } from '../../lib/domain/records/event.ts'
import type { Runtime } from '../../local/runtime.ts'
import type { Client } from '../../packages/client/index.js'
import { verifyWebhook } from '../../packages/client/webhooks.js'
import { temporaryDataDirectory } from '../pipelines/service-process.ts'
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

/** A listener that is ready, with its own output. */
async function listening(...words: string[]): Promise<ScriptProcess & { webhookId: string; secret: string }> {
  const command = spawnScript('listen.ts', words, directory)
  const said = /(?<webhookId>whk_\w+)\s+Secret +(?<secret>\S+).*Ctrl-C/s
  const groups = await waitFor('it listens', () => said.exec(command.errors())?.groups)
  return { ...command, webhookId: groups.webhookId!, secret: groups.secret! }
}

const endpoint = (id: string) => client.webhooks.get(id)
const endpointIds = async () => (await Array.fromAsync(client.webhooks.list())).map(({ id }) => id)
/** Only its creation emits an event: it is deleted at once, so that it is never generated. */
async function createVideo(title = 'Calm mornings') {
  const { id } = await client.videos.create({ text: 'Mornings.', title })
  await client.videos.delete(id)
  return { id }
}
const deliveriesTo = (webhookId: string) => Array.fromAsync(client.webhooks.listDeliveries({ webhookId }))

/** A program under development, which responds with these statuses in turn, and with the last one from then on. */
async function target(...statuses: number[]) {
  const receiver = await startTestReceiver()
  onTestFinished(receiver.stop)
  receiver.answering = (post, response) =>
    respondWithStatus(statuses[Math.min(receiver.posts.length, statuses.length) - 1]!)(post, response)
  return { url: `${receiver.url}/hook`, requests: receiver.posts, stop: receiver.stop }
}

describe('the listener shows', () => {
  it('a line for each event: time, event, id, title, and that it was verified; in a pipe, only the envelope', async () => {
    const [shown, read] = await Promise.all([listening(), listening('--json')])
    const { id } = await createVideo('Mornings\u001b[31m in red, and a title that is longer than a line has room for')
    const lines = ({ output }: ScriptProcess) => output().trimEnd().split('\n').filter(Boolean)
    const line = await waitFor('the event', () => lines(shown).find((text) => text.includes(id)))
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}video\.created {15}vid_\w{26} {2}"Mornings \[31m in red.*…" {2}verified$/)

    const envelopes = () => lines(read).map((text) => JSON.parse(text))
    const told = await waitFor('its envelope', () => envelopes().find(({ data }) => data.video.id === id))
    expect(told).toMatchObject({ event: 'video.created', workspaceId: runtime.workspaceId })
    expect(told.sequence).toBeGreaterThan(0)
  })

  it('a test delivery too, and an invalid delivery as refused, with a 400 to it', async () => {
    const { webhookId, errors, output } = await listening()
    const { url } = await endpoint(webhookId)
    const { status } = await fetch(url, { method: 'POST', body: '{"event":"video.created"}' })
    expect(status).toBe(400)
    await waitFor('the refusal', () => errors().includes('REFUSED  The header'))
    expect(output()).toBe('')
    expect(await client.webhooks.test(webhookId)).toMatchObject({ delivered: true })
    await waitFor('the test', () => /webhook\.test .*verified/.test(output()))
    expect(output()).toContain(webhookId)
  })
})

describe('the listener forwards', () => {
  it('the unchanged bytes and headers of the chosen events, again after the target failed', async () => {
    const { url, requests } = await target(503, 200)
    const { webhookId, secret, output } = await listening(
      '--forward',
      url,
      '--events',
      'video.created, video.published',
    )
    expect((await endpoint(webhookId)).events).toEqual(['video.created', 'video.published'])
    const { id } = await createVideo()
    await waitFor('the second attempt', () => output().includes('-> 200'))
    expect(output()).toContain('-> 503')
    const events = await Promise.all(requests.map(({ body, headers }) => verifyWebhook(body, headers, secret)))
    expect(events.map(({ data }) => data)).toMatchObject([{ video: { id } }, { video: { id } }])
    const [first, second] = requests.map(({ headers }) => headers)
    expect(first!['x-service-delivery']).toBe(second!['x-service-delivery'])
    expect(first).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Reelsmith-Webhooks' })
  })

  it("and returns the target's status to the service, 502 if there is no target", async () => {
    const { url, stop } = await target(302)
    const { webhookId, output } = await listening('--forward', url, '--events', 'video.created')
    const answered = (status: number) =>
      waitFor(`${status} in the log`, async () =>
        (await deliveriesTo(webhookId)).some(({ responseStatus }) => responseStatus === status),
      )
    await createVideo()
    await answered(302)
    // The same event is emitted again, without a target.
    await stop()
    await answered(502)
    // A kept-alive connection may fail differently from a new one.
    expect(output()).toMatch(/-> not reached \(\w+\)/)
  })
})

describe('the listener ends', () => {
  it('at Ctrl-C, and removes its endpoint', async () => {
    const { webhookId, interrupt, ended } = await listening()
    expect(await endpointIds()).toContain(webhookId)
    interrupt()
    expect(await ended).toBe(0)
    expect(await endpointIds()).not.toContain(webhookId)
  })

  it('if its endpoint is deleted elsewhere, with a message', async () => {
    const { webhookId, errors, ended } = await listening()
    await client.webhooks.delete(webhookId)
    expect(await ended).toBe(1)
    expect(errors()).toContain('The endpoint was deleted.')
  })

  it('if the target answers 410, which disables the endpoint', async () => {
    const { url } = await target(410)
    const { errors, ended } = await listening('--forward', url)
    await createVideo()
    expect(await ended).toBe(1)
    expect(errors()).toContain('The endpoint was disabled.')
    expect(errors()).toContain('410')
  })

  it('if killed, with an endpoint that the next listener removes', async () => {
    const { webhookId, kill, ended } = await listening()
    kill()
    await ended
    expect(await endpointIds()).toContain(webhookId)
    await listening()
    expect(await endpointIds()).not.toContain(webhookId)
  })
})

describe('the listener explains the error and exits with 1', () => {
  const mistakes: [words: string[], message: string][] = [
    [['--forward', 'somewhere'], '--forward must be a URL'],
    [['--forward', 'ftp://127.0.0.1/'], '--forward must be a URL'],
    [
      ['--events', 'video.created,video.burnt'],
      `--events: "video.burnt" is not an event. The events are:\n  ${eventTypes[0]}`,
    ],
    [['--evens', 'video.created'], "Unknown option '--evens'"],
    [['video.created'], "Unexpected argument 'video.created'"],
  ]
  it('for invalid arguments', async () => {
    const runs = mistakes.map(([words]) => spawnScript('listen.ts', words, directory))
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual(mistakes.map(() => 1))
    expect(runs.map(({ errors }) => errors())).toEqual(mistakes.map(([, message]) => expect.stringContaining(message)))
  })

  it('without a local run, with the command that starts one', async () => {
    const other = temporaryDataDirectory()
    onTestFinished(other.remove)
    const { errors, ended } = spawnScript('listen.ts', [], other.directory)
    expect(await ended).toBe(1)
    expect(errors()).toContain(other.directory)
    expect(errors()).toContain('npm start')
  })
})
