/** `npm run listen`, against a local run of its own. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Client } from '../../lib/contract/client.ts'
import { verifyWebhook } from '../../lib/contract/verify-webhook.ts'
import { eventTypes } from '../../lib/domain/records/event.ts'
import { type ServiceProcess, startServiceProcess, temporaryDataDirectory } from '../pipelines/service-process.ts'
import { respondWithStatus, startTestReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { firstWorkspaceClient, type ScriptProcess, spawnScript } from './script-process.ts'

const { directory, remove } = temporaryDataDirectory()
let service: ServiceProcess
let client: Client

beforeAll(async () => {
  service = await startServiceProcess(directory)
  client = firstWorkspaceClient(service)
})
afterAll(async () => {
  await service.stop()
  remove()
})

/** A listener that is ready, with what it says of itself. */
async function listening(...words: string[]): Promise<ScriptProcess & { webhookId: string; secret: string }> {
  const command = spawnScript('listen.ts', words, directory)
  const said = /(?<webhookId>whk_\w+)\s+Secret +(?<secret>\S+).*Ctrl-C/s
  const groups = await waitFor('it listens', () => said.exec(command.errors())?.groups)
  return { ...command, webhookId: groups.webhookId!, secret: groups.secret! }
}

const endpoint = (id: string) => client.getWebhook({ params: { id } })
const endpointIds = async () => (await Array.fromAsync(client.pages.listWebhooks())).map(({ id }) => id)
/** What is told of it is that it was created: it is deleted at once, so that nobody makes it. */
async function createVideo(title = 'Calm mornings') {
  const { id } = await client.createVideo({ body: { text: 'Mornings.', title } })
  await client.deleteVideo({ params: { id } })
  return { id }
}
const deliveriesTo = (webhookId: string) => Array.fromAsync(client.pages.listDeliveries({ query: { webhookId } }))

/** A program under development, which answers with these statuses in turn, and with the last one from then on. */
async function target(...statuses: number[]) {
  const receiver = await startTestReceiver()
  onTestFinished(receiver.stop)
  receiver.answering = (post, response) =>
    respondWithStatus(statuses[Math.min(receiver.posts.length, statuses.length) - 1]!)(post, response)
  return { url: `${receiver.url}/hook`, requests: receiver.posts, stop: receiver.stop }
}

describe('shows', () => {
  it('a line for each event: time, event, id, title, and that it was verified; where a program reads, the envelope alone', async () => {
    const [shown, read] = await Promise.all([listening(), listening('--json')])
    const { id } = await createVideo('Mornings\u001b[31m in red, and a title that is longer than a line has room for')
    const lines = ({ output }: ScriptProcess) => output().trimEnd().split('\n').filter(Boolean)
    const line = await waitFor('the event', () => lines(shown).find((text) => text.includes(id)))
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}video\.created {15}vid_\w{26} {2}"Mornings \[31m in red.*…" {2}verified$/)

    const envelopes = () => lines(read).map((text) => JSON.parse(text))
    const told = await waitFor('its envelope', () => envelopes().find(({ data }) => data.video.id === id))
    expect(told).toMatchObject({ event: 'video.created', workspaceId: service.runtime.workspaceId })
    expect(told.sequence).toBeGreaterThan(0)
  })

  it('a test delivery too, and what is no delivery as refused, with a 400 to it', async () => {
    const { webhookId, errors, output } = await listening()
    const { url } = await endpoint(webhookId)
    const { status } = await fetch(url, { method: 'POST', body: '{"event":"video.created"}' })
    expect(status).toBe(400)
    await waitFor('the refusal', () => errors().includes('REFUSED  The header'))
    expect(output()).toBe('')
    expect(await client.testWebhook({ params: { id: webhookId } })).toMatchObject({ delivered: true })
    await waitFor('the test', () => /webhook\.test .*verified/.test(output()))
    expect(output()).toContain(webhookId)
  })
})

describe('hands on', () => {
  it('the bytes and the headers of the chosen events as they came, again when the target failed', async () => {
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
    const events = requests.map(({ body, headers }) => verifyWebhook(body, headers, secret))
    expect(events.map(({ data }) => data.video)).toEqual([
      expect.objectContaining({ id }),
      expect.objectContaining({ id }),
    ])
    const [first, second] = requests.map(({ headers }) => headers)
    expect(first!['x-service-delivery']).toBe(second!['x-service-delivery'])
    expect(first).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Reelsmith-Webhooks' })
  })

  it('and tells the service what the target answered, 502 where there is none', async () => {
    const { url, stop } = await target(302)
    const { webhookId, output } = await listening('--forward', url, '--events', 'video.created')
    const answered = (status: number) =>
      waitFor(`${status} in the log`, async () =>
        (await deliveriesTo(webhookId)).some(({ responseStatus }) => responseStatus === status),
      )
    await createVideo()
    await answered(302)
    // The same event is told again, to nobody.
    await stop()
    await answered(502)
    // A connection that was kept open may learn it otherwise than a new one.
    expect(output()).toMatch(/-> not reached \(\w+\)/)
  })
})

describe('ends', () => {
  it('at Ctrl-C, and takes its endpoint with it', async () => {
    const { webhookId, interrupt, ended } = await listening()
    expect(await endpointIds()).toContain(webhookId)
    interrupt()
    expect(await ended).toBe(0)
    expect(await endpointIds()).not.toContain(webhookId)
  })

  it('when its endpoint is deleted by somebody else, and says so', async () => {
    const { webhookId, errors, ended } = await listening()
    await client.deleteWebhook({ params: { id: webhookId } })
    expect(await ended).toBe(1)
    expect(errors()).toContain('The endpoint was deleted.')
  })

  it('when the target answers 410, which disables the endpoint', async () => {
    const { url } = await target(410)
    const { errors, ended } = await listening('--forward', url)
    await createVideo()
    expect(await ended).toBe(1)
    expect(errors()).toContain('The endpoint was disabled.')
    expect(errors()).toContain('410')
  })

  it('killed, it leaves an endpoint that the next one removes', async () => {
    const { webhookId, kill, ended } = await listening()
    kill()
    await ended
    expect(await endpointIds()).toContain(webhookId)
    await listening()
    expect(await endpointIds()).not.toContain(webhookId)
  })
})

describe('says what is wrong and exits with 1', () => {
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
  it('where the words are wrong', async () => {
    const runs = mistakes.map(([words]) => spawnScript('listen.ts', words, directory))
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual(mistakes.map(() => 1))
    expect(runs.map(({ errors }) => errors())).toEqual(mistakes.map(([, message]) => expect.stringContaining(message)))
  })

  it('where no local run is up, and how to start one', async () => {
    const other = temporaryDataDirectory()
    onTestFinished(other.remove)
    const { errors, ended } = spawnScript('listen.ts', [], other.directory)
    expect(await ended).toBe(1)
    expect(errors()).toContain(other.directory)
    expect(errors()).toContain('npm start')
  })
})
