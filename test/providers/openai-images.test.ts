/** Pictures of servers with OpenAI's API. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openAiImages } from '../../lib/providers/images/openai.ts'
import { tinyPicture } from '../support/fake-vendors/media.ts'
import { type ImageServer, imageOperations, refusedPrompt } from '../support/openai/images.ts'
import { type OpenAiStandIn, openAiKey, openAiStandIn } from '../support/openai/stand-in.ts'
import { imagesSuite, pictureInput } from './images-suite.ts'

async function start(server: ImageServer): Promise<OpenAiStandIn> {
  let url = ''
  const kind = server === 'gpt-image-1' || server === 'dall-e-3' ? 'openai' : 'other'
  const standIn = await openAiStandIn({ kind, operations: imageOperations(server, () => url) })
  url = standIn.baseUrl
  return standIn
}

const imagesOf = ({ baseUrl }: { baseUrl: string }, model: string) =>
  openAiImages({ baseUrl, apiKey: openAiKey, model, allowLocal: true })

async function makerOf(server: ImageServer, model: string = server) {
  const standIn = await start(server)
  onTestFinished(standIn.stop)
  return { standIn, images: imagesOf(standIn, model) }
}

let gptImage: OpenAiStandIn
beforeAll(async () => {
  gptImage = await start('gpt-image-1')
})
afterAll(() => gptImage.stop())
imagesSuite('gpt-image-1, against a stand-in', () => imagesOf(gptImage, 'gpt-image-1'))

describe('pictures of servers with OpenAI’s API', () => {
  it.each<[ImageServer, string, string, string]>([
    ['gpt-image-1', 'gpt-image-1', '1024x1536', '1536x1024'],
    ['dall-e-3', 'dall-e-3', '1024x1792', '1792x1024'],
    ['localai', 'flux.1-dev', '768x1344', '1344x768'],
  ])('of %s as %s have the nearest of its sizes', async (server, model, upright, wide) => {
    // The download of a picture needs no key, which the stand-in of OpenAI would ask for.
    const { standIn, images } = await makerOf(server === 'dall-e-3' ? 'strict-sizes' : server, model)
    await images.draw({ ...pictureInput, width: 1080, height: 1920 }).catch(() => {})
    await images.draw({ ...pictureInput, width: 1920, height: 1080 }).catch(() => {})
    await images.draw({ ...pictureInput, width: 1080, height: 1080 }).catch(() => {})
    const sizes = standIn.posts().flatMap(({ body }) => (body.size ? [body.size] : []))
    expect(sizes).toEqual([upright, wide, '1024x1024'])
  })

  it('come from an address, as data or in base64, and the address gets no key', async () => {
    const png = await tinyPicture()
    for (const server of ['localai', 'data-url', 'gpt-image-1'] as const) {
      const { images, standIn } = await makerOf(server)
      expect(await images.draw(pictureInput)).toEqual({ bytes: png, contentType: 'image/png' })
      const downloads = standIn.calls.filter(({ path }) => path.startsWith('/v1/generated-images/'))
      expect(downloads.map(({ headers }) => headers.authorization)).toEqual(server === 'localai' ? [undefined] : [])
    }
  })

  it('are made in the size of the server where it does not know the requested one', async () => {
    const { images, standIn } = await makerOf('strict-sizes', 'sd-turbo')
    await images.draw(pictureInput)
    expect(standIn.posts().map(({ body }) => body.size)).toEqual(['768x1344', undefined])
  })

  it('are refused by the moderation, and not ordered again', async () => {
    const { images, standIn } = await makerOf('gpt-image-1')
    await expect(images.draw({ ...pictureInput, prompt: refusedPrompt })).rejects.toMatchObject({
      name: 'ProviderRejected',
      message: expect.stringContaining('rejected by the safety system'),
    })
    expect(standIn.posts()).toHaveLength(1)
  })

  it('are retried where the server is busy or returns none', async () => {
    const { images, standIn } = await makerOf('gpt-image-1')
    for (const fault of [
      { status: 503, body: 'loading' },
      { body: { data: [{ b64_json: null }] } },
      { body: { data: [{ b64_json: Buffer.from('no picture').toString('base64') }] } },
      { body: { data: [] } },
    ]) {
      standIn.faults = [fault]
      await expect(images.draw(pictureInput)).rejects.toMatchObject({ name: 'ProviderBusy' })
    }
  })

  it('are not fetched from another address of this machine', async () => {
    const { images, standIn } = await makerOf('gpt-image-1')
    const other = await start('localai')
    onTestFinished(other.stop)
    standIn.fault = { body: { data: [{ url: `${other.baseUrl}/generated-images/1.png` }] } }
    await expect(images.draw(pictureInput)).rejects.toThrow('an address that is not public')
    expect(other.calls).toEqual([])
  })
})
