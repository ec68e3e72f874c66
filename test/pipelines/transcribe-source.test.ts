/** The step that orders the transcript of a source and polls it. */
import { describe, expect, it, vi } from 'vitest'
import { handler as begin } from '../../functions/pipelines/generate/begin.ts'
import { handler as transcribeSource } from '../../functions/pipelines/generate/transcribe-source.ts'
import { getJson } from '../../lib/aws/media-bucket.ts'
import type { TimedWord } from '../../lib/domain/core/timeline-item.ts'
import { sourceFactsKey, sourceReadingKey } from '../../lib/domain/generation/source.ts'
import type { Recording, Transcriber, TranscriptionContext } from '../../lib/providers/transcriber/index.ts'
import { type OrderApi, runOrder } from '../../lib/providers/vendor-orders.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { storeJson } from '../../lib/use-cases/artefacts/store-artefact.ts'
import { given } from '../support/given/videos.ts'
import { runOf } from '../support/run-jobs.ts'
import { callApi, newWorld } from '../support/world.ts'

const { id, vendor } = vi.hoisted(() => ({
  id: 'amazon-transcribe-1' as const,
  vendor: { submitted: 0, polled: 0, isDone: false },
}))
vi.mock('../../lib/providers/choose/transcriber-id.ts', () => ({ transcriberIdFor: () => id }))
vi.mock('../../lib/providers/choose/transcriber.ts', () => {
  const api: OrderApi<Recording, TimedWord[], TranscriptionContext> = {
    name: 'The vendor',
    isIdempotent: true,
    submit: async () => `order-${++vendor.submitted}`,
    poll: async (order) => {
      vendor.polled++
      return vendor.isDone ? order : undefined
    },
    collect: async () => [{ text: 'Hello.', startMs: 100, endMs: 1_500 }],
  }
  const transcriber: Transcriber = {
    id,
    transcribe: (recording, context) => runOrder(api, recording, context),
  }
  return { chooseTranscriber: async () => transcriber }
})

/** An uploaded video whose file has been read. */
async function readVideo() {
  const world = await newWorld()
  const { media } = await given.generatedVideo(world)
  const sourceKey = `${world.workspaceId}/sources/speech.mp4`
  const { id: videoId } = await given.generatedVideo(world, {
    type: 'video',
    fields: { media: { ...media, sourceKey } },
  })
  const owner = { workspace: await getWorkspace(world.workspaceId), videoId }
  const files = { sourceKey, audioKey: 'sound.wav', thumbnailKey: 'thumbnail.jpg', durationMs: 1_000 }
  const reading = { ...files, words: [], passages: [{ startMs: 0, endMs: 900 }] }
  await storeJson(owner, sourceReadingKey(owner, sourceKey), reading)
  const factsKey = sourceFactsKey(owner, sourceKey, id)
  /** Starts the next run. */
  const process = async () => {
    await callApi('POST', `/videos/${videoId}/process`, { key: world.apiKey, body: {} })
    const run = await runOf(world, videoId)
    await begin(run)
    return (secondsAgo: number) => {
      const startedAt = new Date(Date.now() - secondsAgo * 1_000).toISOString()
      return transcribeSource({ ...run, startedAt })
    }
  }
  return { process, files, factsKey }
}

describe('a transcript that the vendor takes minutes for', () => {
  it('is ordered once and polled once by each invocation; after twenty minutes the job fails', async () => {
    const { process, files, factsKey } = await readVideo()
    const invoke = await process()
    expect(await invoke(0)).toEqual({ outcome: 'pending' })
    expect(await invoke(1_190)).toEqual({ outcome: 'pending' })
    const message =
      'A vendor did not finish an order within 20 minutes: try again later, the same order is then continued.'
    await expect(invoke(1_200)).rejects.toMatchObject({
      name: 'JobFailed',
      message: JSON.stringify({ code: 'provider-unavailable', message, blocked: false }),
    })
    expect(vendor).toMatchObject({ submitted: 1, polled: 3 })

    vendor.isDone = true
    expect(await invoke(0)).toEqual({ outcome: 'done' })
    expect(await getJson(factsKey)).toEqual({ ...files, words: [{ text: 'Hello.', startMs: 100, endMs: 1_000 }] })
    expect(await invoke(1_200)).toEqual({ outcome: 'done' })
    expect(vendor).toMatchObject({ submitted: 1, polled: 4 })
  })
})
