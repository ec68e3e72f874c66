/**
 * Pay once: a generation that dies at any moment ends with one result and one charge, and only what was not stored yet is asked of a
 * vendor again. `npm run test:kill` tries every moment; without it some of them, spread over all.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/id.ts'
import { createVideo } from '../../lib/domain/video.ts'
import { voicePrefixes } from '../../lib/domain/voice.ts'
import { commit } from '../../lib/store/commit.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { ledgerOf } from '../support/ledger.ts'
import { startBedrock } from '../support/vendors/bedrock.ts'
import { converse } from '../support/vendors/converse.ts'
import { tinyClip } from '../support/vendors/media.ts'
import { nova } from '../support/vendors/nova.ts'
import { startPolly } from '../support/vendors/polly.ts'
import { stability } from '../support/vendors/stability.ts'
import type { Vendor } from '../support/vendors/vendor.ts'
import { newWorld, wishOf } from '../support/world.ts'
import { generate, letProcessesDie } from './kill-steps.ts'

/** Of a hundred and more; each takes a fifth of a second. */
const momentsTried = process.env.KILL === 'everywhere' ? Number.POSITIVE_INFINITY : 8

/** Clips that were ordered. What a model gives takes minutes, and what the built-in camera gives takes seconds. */
const animated = vi.hoisted((): string[] => [])
vi.mock('../../lib/actions/providers/animator.ts', () => {
  const animate = async ({ prompt }: { prompt: string }) => {
    animated.push(prompt)
    return { bytes: await tinyClip(), durationMs: 1_000, width: 320, height: 568 }
  }
  return { theAnimator: async () => ({ id: 'tiny-1', animate }) }
})

let bedrock: Vendor
let polly: Vendor
beforeAll(async () => {
  ;[bedrock, polly] = await Promise.all([startBedrock(converse(nova), stability), startPolly()])
  Object.assign(process.env, {
    PROVIDERS: JSON.stringify({ writer: 'bedrock', narrator: 'polly', images: 'stability' }),
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
    AWS_ENDPOINT_URL_POLLY: polly.url,
  })
  letProcessesDie()
})
afterAll(() => Promise.all([bedrock.stop(), polly.stop()]))

type Type = 'faceless' | 'ai'

async function accepted(type: Type) {
  const { workspaceId } = await newWorld({ planId: 'free' })
  const [videoId, runId] = [mintId('vid', now()), mintId('run', now())]
  const wish = wishOf({ type, prompt: 'Sleep', targetDuration: 10, imageStyle: 'ai_image' })
  const brief = { ...wish.brief, voiceId: `${voicePrefixes.polly}Joanna` }
  await commit(createVideo(await getWorkspace(workspaceId), { ...wish, brief }, { videoId, runId }, now()))
  return { workspaceId, videoId, runId }
}

/** What was ordered of vendors since this was asked last. */
function ordersSent() {
  const paths = [...bedrock.calls.splice(0), ...polly.calls.splice(0)].map(({ path }) => path)
  const count = (end: string) => paths.filter((path) => path.endsWith(end)).length
  const clips = animated.splice(0).length
  return { texts: count('/converse'), sounds: count('/v1/speech'), pictures: count('/invoke'), clips }
}
type Orders = ReturnType<typeof ordersSent>

/** By what it is known that an order's result is stored, and how many orders it takes: Polly gives sound and times apart. */
const results: Record<keyof Orders, { stored: RegExp; orders: number }> = {
  texts: { stored: /\/scripts\/.*\.json$/, orders: 1 },
  sounds: { stored: /\/narrations\/.*\.json$/, orders: 2 },
  pictures: { stored: /\/visuals\/.*\.png$/, orders: 1 },
  clips: { stored: /\/visuals\/.*\.mp4$/, orders: 1 },
}

/** What has to be ordered, where so much was ordered until the death and this was stored by then. */
function allowed(whole: Orders, before: Orders, stored: readonly string[]): Orders {
  const of = (kind: keyof Orders) => {
    const result = results[kind]
    const there = stored.filter((key) => result.stored.test(key)).length * result.orders
    return before[kind] + Math.max(0, whole[kind] - there)
  }
  return { texts: of('texts'), sounds: of('sounds'), pictures: of('pictures'), clips: of('clips') }
}

const sum = (one: Orders, other: Orders): Orders => ({
  texts: one.texts + other.texts,
  sounds: one.sounds + other.sounds,
  pictures: one.pictures + other.pictures,
  clips: one.clips + other.clips,
})

describe.each(['faceless', 'ai'] as const)('a generation of type %s', (type) => {
  it('that dies at any moment has one result and one charge, and orders nothing that was stored', async () => {
    ordersSent()
    const { moments } = await generate(type, await accepted(type), 0)
    const whole = ordersSent()
    const tried = Math.min(momentsTried, moments)
    for (let index = 0; index < tried; index++) {
      const diesAt = 1 + Math.floor((index * moments) / tried)
      const run = await accepted(type)
      let before = ordersSent()
      let most = whole
      await generate(type, run, diesAt, (stored) => {
        before = ordersSent()
        most = allowed(whole, before, stored)
      })
      expect({ diesAt, orders: sum(before, ordersSent()) }).toEqual({ diesAt, orders: most })
      const { process } = await getVideo(run.workspaceId, run.videoId)
      expect(process).toMatchObject({ status: 'COMPLETED', quality: { passed: true } })
      const ledger = await ledgerOf(run.workspaceId)
      expect(ledger.map(({ kind }) => kind).toSorted()).toEqual(['capture', 'reserve'])
    }
  }, 600_000)
})
