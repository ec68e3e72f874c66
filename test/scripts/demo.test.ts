/** `npm run demo`: starts the service if it is not running, and runs the whole flow with every signature verified. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { platforms } from '../../lib/domain/core/platform.ts'
import { mintWebhookSecret, signedHeaders } from '../../lib/domain/webhooks/signature.ts'
import { findRuntime } from '../../local/runtime.ts'
import type { Client } from '../../packages/client/index.js'
import { followEvents } from '../../scripts/demo/events.ts'
import { captionOf } from '../../scripts/demo/publish.ts'
import { temporaryDataDirectory } from '../pipelines/service-process.ts'
import { newCommandDirectory, serviceDirectory } from '../pipelines/shared-service.ts'
import { waitFor } from '../support/wait-for.ts'
import { firstWorkspaceClient, spawnScript } from './script-process.ts'

/** Pinterest accepts no video of less than four seconds. */
const words = 'Only a few words, and no more than every platform has patience for today.'

it('a script becomes a render and posts in the feeds, and the events are verified', async () => {
  const { directory, remove } = temporaryDataDirectory()
  onTestFinished(remove)
  writeFileSync(join(directory, 'words.txt'), words)
  const { output, errors, ended } = spawnScript('demo.ts', ['--script', 'words.txt'], directory)
  const code = await ended
  expect(errors()).toBe('')
  expect(code).toBe(0)
  const shown = [...output().matchAll(/^ {2}✓ +[\d.]+ s {2}(\S+) +signature verified$/gm)].map(([, event]) => event)
  const told = ['video.created', 'video.generation_completed', 'video.published', 'video.render_completed']
  expect(shown.toSorted()).toEqual(told)
  expect(output()).toContain('Events     4 received, every signature verified')
  const posts = [...output().matchAll(/^ {2}✓ +[\d.]+ s {2}(.+?) {2,}(http:\/\/127\.0\.0\.1:\d+\/#\w+)$/gm)]
  expect(posts.map(([, platform]) => platform).toSorted()).toEqual(platforms.map(({ name }) => name).toSorted())
  expect(statSync(join(directory, 'out/demo.mp4')).size).toBeGreaterThan(1_000)
  // It has stopped what it started.
  expect(findRuntime(directory)).toBeUndefined()
})

it('a second run has another script, which fits the limits of every platform', () => {
  const video = { title: 'Mornings '.repeat(60) }
  const captions = [0, 1_000, 86_400_000].map((ms) => captionOf(video, new Date(Date.UTC(2026, 10, 21, 9) + ms)))
  expect(new Set(captions).size).toBe(3)
  for (const caption of captions) expect(caption.length).toBeLessThan(280)
})

describe('next to a running service', () => {
  let directory: string
  let remove: () => void
  let client: Client

  beforeAll(async () => {
    const shared = await newCommandDirectory()
    ;({ directory, remove } = shared)
    client = firstWorkspaceClient(shared)
  })
  afterAll(() => remove())
  const endpoints = () => Array.fromAsync(client.webhooks.list())

  it('an interrupted demo removes its endpoint, and the service keeps running', async () => {
    writeFileSync(join(directory, 'words.txt'), words)
    const { errors, interrupt, ended } = spawnScript('demo.ts', ['--script', 'words.txt'], directory)
    const { id } = await waitFor('it has made its video', async () => (await client.videos.list()).data[0])
    expect(await endpoints()).toHaveLength(1)
    interrupt()
    expect(await ended).toBe(1)
    expect(errors()).toContain('The demo was interrupted.')
    expect(await endpoints()).toEqual([])
    expect(findRuntime(serviceDirectory)).toBeDefined()
    // Saves its render, which this test does not need.
    await client.videos.delete(id)
  })

  it('the endpoint of a killed demo is removed by the next one', async () => {
    // Above the largest process id of Linux (pid_max).
    const url = 'http://127.0.0.1:1024/receiver-of-process-4194305'
    const { id } = await client.webhooks.create({ url, events: ['video.created'] })
    const events = await followEvents(client, () => {})
    expect((await endpoints()).map((endpoint) => endpoint.id)).not.toContain(id)
    await events.close()
    expect(await endpoints()).toEqual([])
  })

  it('a missing event is an error', async () => {
    const shown: string[] = []
    const events = await followEvents(client, (event) => shown.push(event))
    onTestFinished(events.close)
    const { id } = await client.videos.create({ text: 'Mornings.' })
    events.resolveVideoId(id)
    // Prevents further events.
    await client.videos.delete(id)
    await waitFor('the first event', () => shown.includes('video.created'))
    await expect(events.complete({ withinMs: 0 })).rejects.toThrow('No webhook arrived for ')
  })

  it('an event with an invalid signature is an error', async () => {
    const events = await followEvents(client, () => {})
    onTestFinished(events.close)
    events.resolveVideoId('vid_1')
    const { url } = (await endpoints()).at(0)!
    const headers = signedHeaders({
      secret: mintWebhookSecret(),
      body: '{"event":"video.created"}',
      event: 'video.created',
      deliveryId: 'dlv_1',
      messageId: 'dlv_1',
      at: new Date().toISOString(),
    })
    await fetch(url, { method: 'POST', headers, body: '{"event":"video.created"}' })
    await expect(events.complete()).rejects.toThrow('could not be verified')
  })
})
