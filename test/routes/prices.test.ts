/** What each action costs, seen in the balance; and what cannot be bought but heard: the previews of the voices. */

import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import type { VoiceResource } from '../../lib/contract/resources/index.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { storedScene } from '../support/given/scenes.ts'
import { given } from '../support/given/videos.ts'
import { callApi, newWorld } from '../support/world.ts'
import { rule } from './rules/rule.ts'

rule('prices.actions', async () => {
  const world = await newWorld({ planId: 'pro' })
  const [slides, scenes, plain] = [
    await given.generatedVideo(world, { subType: 'presentation' }),
    await given.generatedVideo(world, { type: 'ai', scenes: [storedScene(1)] }),
    await given.generatedVideo(world),
  ]
  const balance = async () => (await callApi('GET', '/', { key: world.apiKey })).body.data.credits.balance
  const costOf = async (path: string) => {
    const before = await balance()
    const { status, body } = await callApi('POST', `/videos/${path}`, { key: world.apiKey })
    expect(status, `${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
    return before - (await balance())
  }
  expect(await costOf(`${plain.id}/description`)).toBe(10)
  expect(await costOf(`${slides.id}/presentation-scenes/recut`)).toBe(10)
  expect(await costOf(`${scenes.id}/scenes/scn_1/image`)).toBe(2)
  expect(await costOf(`${slides.id}/render`)).toBe(0)
  expect(await costOf(`${plain.id}/script`)).toBe(10)
})

rule('voices.list.preview', async () => {
  const { apiKey: key } = await newWorld()
  const voices: VoiceResource[] = (await callApi('GET', '/voices', { key })).body.data
  const clips = await Promise.all(
    voices.map(({ previewUrl }) => {
      expect(new URL(previewUrl!).pathname).toMatch(/\/voices\/[\w-]+\.m4a$/)
      // The local run and the deployment put this folder under that address.
      const file = join(import.meta.dirname, '../../assets/voices', basename(previewUrl!))
      return probeMedia(file, 'mov', { directory: tmpdir(), timeoutMs: 20_000 })
    }),
  )
  for (const clip of clips) {
    expect(clip.audio?.codec).toBe('aac')
    expect(clip.durationMs).toBeGreaterThan(1_000)
  }
})
