/** Stills: drawn, and by a model whose filter may refuse one. */
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProviderBusy, ProviderRejected } from '../../lib/domain/core/failures.ts'
import { bedrockClient } from '../../lib/providers/bedrock.ts'
import { callWithFallback, fallbackId } from '../../lib/providers/fallback.ts'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import { stabilityImages } from '../../lib/providers/images/stability.ts'
import { restJsonError, startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import type { FakeVendor } from '../support/fake-vendors/fake-vendor.ts'
import { filteredWord, stability } from '../support/fake-vendors/stability.ts'
import { imagesSuite, pictureInput } from './images-suite.ts'

let bedrock: FakeVendor
beforeAll(async () => {
  bedrock = await startFakeBedrock(stability)
})
afterAll(() => bedrock.stop())
beforeEach(() => {
  bedrock.calls.length = 0
  bedrock.faults = []
})

const images = () => stabilityImages(bedrockClient({ region: 'us-west-2', endpoint: bedrock.url }))
const asked = () => bedrock.calls.map(({ body }) => JSON.parse(body.toString()))

/** An API key of Bedrock, from https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html. */
const token = process.env.BEDROCK_API_KEY
const real = () =>
  stabilityImages(
    new BedrockRuntimeClient({
      region: 'us-west-2',
      token: { token: token ?? '' },
      authSchemePreference: ['httpBearerAuth'],
    }),
  )

imagesSuite('built in', () => builtInImages)
imagesSuite('of a stand-in for Stability', images)
imagesSuite('of Stability itself (BEDROCK_API_KEY)', real, { skip: !token })

describe('the images of Stability', () => {
  it('have the aspect ratio of the frame and state the mood', async () => {
    for (const [width, height] of [
      [1296, 2304],
      [2304, 1296],
      [1296, 1296],
      [1296, 1620],
    ] as const)
      await images().draw({ ...pictureInput, width, height })
    expect(asked().map(({ aspect_ratio }) => aspect_ratio)).toEqual(['9:16', '16:9', '1:1', '4:5'])
    expect(asked()[0].prompt).toBe('A quiet morning in the mountains, calm mood')
  })

  it('have one seed in one video, and another for another take', async () => {
    await images().draw(pictureInput)
    await images().draw({ ...pictureInput, prompt: 'Another one' })
    await images().draw({ ...pictureInput, take: '2' })
    const seeds = asked().map(({ seed }) => seed)
    expect(seeds[1]).toBe(seeds[0])
    expect(seeds[2]).not.toBe(seeds[0])
  })

  it('stop waiting when the signal aborts, also after the response has started', async () => {
    bedrock.faults = ['stalled']
    const stop = new AbortController()
    const drawn = images().draw(pictureInput, stop.signal)
    await expect.poll(() => bedrock.calls.length).toBe(1)
    stop.abort()
    await expect(drawn).rejects.toThrow()
  })

  it('that the filter refuses are refused permanently', async () => {
    const held = images().draw({ ...pictureInput, prompt: `Something ${filteredWord}` })
    await expect(held).rejects.toMatchObject({
      name: 'ProviderRejected',
      message: expect.stringMatching(/“Something forbidden” .* filter/),
    })
    bedrock.faults = [{ body: { seeds: [1], finish_reasons: ['Filter reason: output image'], images: [''] } }]
    await expect(images().draw(pictureInput)).rejects.toBeInstanceOf(ProviderRejected)
  })

  it.each([
    ['the service is throttled', restJsonError(429, 'ThrottlingException').answer],
    ['the service is down', restJsonError(503, 'ServiceUnavailableException').answer],
    ['the model erred', { body: { finish_reasons: ['Inference error'] } }],
    ['the answer is no picture', { body: { finish_reasons: [null], images: ['aGVsbG8='] } }],
    ['the answer is no JSON', { body: 'no json' }],
    ['the answer is lost', 'lost'],
  ] as const)('are retried if %s', async (_, fault) => {
    bedrock.faults = [fault]
    await expect(images().draw(pictureInput)).rejects.toBeInstanceOf(ProviderBusy)
    expect(bedrock.calls).toHaveLength(1)
  })

  it('that the account may not use are reported to the operator', async () => {
    bedrock.faults = [restJsonError(403, 'AccessDeniedException').answer]
    await expect(images().draw(pictureInput)).rejects.toMatchObject({ name: 'AccountExpired' })
  })
})

describe('a maker with a fallback', () => {
  const told: string[] = []
  const either = () => {
    const tell = (refusal: Error) => {
      told.push(refusal.message)
    }
    return { id: fallbackId(images(), builtInImages), draw: callWithFallback(images().draw, builtInImages.draw, tell) }
  }
  beforeEach(() => {
    told.length = 0
  })

  it('uses the first one unless it refuses', async () => {
    const { bytes } = await either().draw(pictureInput)
    expect(Buffer.from(bytes)).not.toEqual(Buffer.from((await builtInImages.draw(pictureInput)).bytes))
    expect(told).toEqual([])
  })

  it('uses the second one if the first refuses, and reports that', async () => {
    const wish = { ...pictureInput, prompt: filteredWord }
    const { bytes } = await either().draw(wish)
    expect(Buffer.from(bytes)).toEqual(Buffer.from((await builtInImages.draw(wish)).bytes))
    expect(told).toEqual([expect.stringContaining('filter')])
  })

  it('uses neither if the first is busy, or its account is not accepted', async () => {
    bedrock.faults = [
      restJsonError(429, 'ThrottlingException').answer,
      restJsonError(403, 'AccessDeniedException').answer,
    ]
    await expect(either().draw(pictureInput)).rejects.toBeInstanceOf(ProviderBusy)
    await expect(either().draw(pictureInput)).rejects.toMatchObject({ name: 'AccountExpired' })
  })

  it('has the names of both, because its results are stored under its name', () => {
    expect(either().id).toBe(`${images().id}|${builtInImages.id}`)
  })
})
