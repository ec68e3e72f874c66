import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { parseAdminArguments } from '../../scripts/admin/parse-arguments.ts'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { callApiOf, temporaryDataDirectory, waitForVideo } from './service-process.ts'
import { eventTypesOf, newApiClient } from './shared-service.ts'

let client: Awaited<ReturnType<typeof newApiClient>>

beforeAll(async () => {
  client = await newApiClient()
})

const script = 'Hello there, this is “Reelsmith” – 3,000 words? No: only twelve. Really!'
const brief = { text: script, aspectRatio: '1:1', process: { render: true } }

const make = async (body: object) => {
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', body)
  return waitForVideo(client, id, ({ status }) => status === 'ready')
}

describe('a brief becomes an mp4', () => {
  let video: VideoResource
  beforeAll(async () => {
    video = await make(brief)
  })

  it('has a render with sound that is as long as the record states', async () => {
    const response = await fetch(video.media.renderUrl!)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(bytes.length).toBe(video.media.bytes)
    const { directory, remove } = temporaryDataDirectory()
    onTestFinished(remove)
    const path = join(directory, 'film.mp4')
    writeFileSync(path, bytes)
    const facts = await probeMedia(path, 'mov', { directory, timeoutMs: 60_000 })
    expect(facts.video).toMatchObject({ codec: 'h264', width: 1080, height: 1080 })
    expect(facts.durationMs! / 1000).toBeCloseTo(video.durationSeconds!, 0)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  })

  it('shows the text word for word, in sync with the voice, on pages that hold every word', async () => {
    const full = await callApiOf<VideoResource>(
      client,
      'GET',
      `/videos/${video.id}?include=captions,captionsPages,bRolls`,
    )
    const words = full.captions!
    expect(words.map(({ punctuated_word }) => punctuated_word).join(' ')).toBe(script)
    words.forEach((word, index) => {
      expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
      expect(word.startMs).toBeGreaterThanOrEqual(words[index - 1]?.endMs ?? 0)
    })
    for (const word of words)
      expect(
        full.captionsPages!.filter((page) => page.startMs <= word.startMs && word.startMs < page.endMs),
      ).toHaveLength(1)
    expect(full.bRolls![0]!.startMs).toBe(0)
    expect(full.bRolls!.at(-1)!.endMs / 1000).toBeCloseTo(video.durationSeconds!, 2)
    expect(full.bRolls!.every(({ url }) => url?.startsWith('http'))).toBe(true)
  })

  it('matches the OpenAPI document with all its includes', async () => {
    const all = 'captions,captionsPages,bRolls,presentationScenes,scenes'
    const data = await callApiOf<VideoResource>(client, 'GET', `/videos/${video.id}?include=${all}`)
    for (const name of all.split(',')) expect(data).toHaveProperty(name)
    expectMatchesOpenApi('GET', '/videos/{id}', 200, { data })
  })

  it('passes its quality checks, as a generation and as a render', () => {
    expect(video.process?.quality).toMatchObject({ passed: true })
    expect(video.render?.quality).toMatchObject({ passed: true, checks: [{ name: 'filmLoudnessGapLu', limit: 1 }] })
  })

  it('reports each step once', async () => {
    const events = await eventTypesOf(client)
    expect(events).toEqual(['video.created', 'video.generation_completed', 'video.render_completed'])
  })

  it('offers captions, a thumbnail and the narration as downloads', async () => {
    for (const address of [video.media.captionsUrl, video.media.thumbnailUrl, video.media.audioUrl])
      expect((await fetch(address!)).status, String(address)).toBe(200)
    expect(await (await fetch(video.media.captionsUrl!)).text()).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> /)
  })

  it('returns the same file at once if rendered again unchanged', async () => {
    const sum = async (address: string) =>
      createHash('sha256')
        .update(Buffer.from(await (await fetch(address)).arrayBuffer()))
        .digest('hex')
    const before = await sum(video.media.renderUrl!)
    await callApiOf(client, 'POST', `/videos/${video.id}/render`)
    const again = await waitForVideo(client, video.id, ({ status }) => status === 'ready')
    expect(await sum(again.media.renderUrl!)).toBe(before)
  })
})

describe('a generation that cannot be done', () => {
  it('fails with the reason and releases the credits', async () => {
    const paying = await newApiClient('free')
    const { id } = await callApiOf<VideoResource>(paying, 'POST', '/videos', { text: '— … —' })
    const process = { status: 'FAILED', error: { code: 'voice-failed', blocked: false } }
    await expect(waitForVideo(paying, id, () => false)).rejects.toMatchObject({ video: { process } })
    const account = await callApiOf<{ credits: { balance: number } }>(paying, 'GET', '/')
    expect(account.credits.balance).toBe(200)
    expect(await eventTypesOf(paying)).toEqual(['video.created', 'video.generation_failed'])
  })
})

describe("the operator's commands", () => {
  const deployment = { apiUrl: async () => inject('baseUrl'), isLocal: true }
  /** Runs a command in this process, as the command line does. */
  const run = async (...words: string[]) =>
    (await parseAdminArguments(words).run!(deployment)) as Record<string, unknown>

  it('make an organization, a workspace and a key in it, and revoke the key at once', async () => {
    const organization = await run('workspace', 'create', '--name', 'Group', '--plan', 'scale')
    const child = await run(
      'workspace',
      'create',
      '--name',
      'Part',
      '--plan',
      'pro',
      '--organization',
      String(organization.id),
    )
    const { key, id } = await run('key', 'create', '--workspace', String(organization.id), '--name', 'ci')
    const asChild = async () =>
      (
        await fetch(`${client.baseUrl}/`, {
          headers: { Authorization: `Bearer ${key}`, 'X-Service-Workspace': String(child.id) },
        })
      ).status
    expect(await asChild()).toBe(200)
    await run('key', 'revoke', '--workspace', String(organization.id), '--key', String(id))
    expect(await asChild()).toBe(401)
  })

  it('never show a secret again, and name what is wrong', async () => {
    const workspace = await run('workspace', 'create', '--name', 'Quiet', '--plan', 'free')
    const { key } = await run('key', 'create', '--workspace', String(workspace.id))
    const shown = JSON.stringify([
      await run('key', 'list', '--workspace', String(workspace.id)),
      await run('workspace', 'show', '--workspace', String(workspace.id)),
      await run('workspace', 'list'),
    ])
    expect(shown).not.toContain(String(key))
    expect(shown).not.toMatch(/mediaSecret|hash|"pk"/)
    const moved = await run('workspace', 'set-plan', '--workspace', String(workspace.id), '--plan', 'pro')
    expect(moved).toMatchObject({ planId: 'pro', creditsBalance: 10_000 })
    await expect(run('workspace', 'set-plan', '--workspace', String(workspace.id), '--plan', 'gold')).rejects.toThrow(
      '--plan must be one of free, starter, pro, scale, self-hosted.',
    )
    expect(await run('key', 'list', '--workspace', 'wsp_none')).toEqual([])
    await expect(run('key', 'create', '--workspace', 'wsp_none')).rejects.toMatchObject({ code: 'not-found' })
  })
})
