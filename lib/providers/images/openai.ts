/**
 * Images by a server with OpenAI's API, `POST /images/generations`:
 * https://platform.openai.com/docs/api-reference/images/create (read November 2026). Neither `response_format` nor a
 * seed is sent: gpt-image refuses them. The picture may have any size: it is cropped where it is shown.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { ProviderBusy } from '../../domain/core/failures.ts'
import { detectDemuxer } from '../../ffmpeg/limits.ts'
import { type OpenAiServer, openAiVendor } from '../openai/server.ts'
import { callVendor, downloadFromVendor, type Vendor, VendorRejected } from '../vendor.ts'
import type { Images, Picture, PictureInput } from './index.ts'
import { stillAsJpeg } from './still.ts'

/** gpt-image takes up to two minutes, a local model without a GPU longer. */
const deadlineMs = 180_000
const pictureBytesMax = 32 * 1024 * 1024
/** In base64, with some text around it. */
const responseBytesMax = 48 * 1024 * 1024
const withoutText = 'No text, letters, captions or watermarks.'

interface ModelLimits {
  sizes: readonly string[]
  promptCharactersMax: number
  /** Further fields. */
  fields?: object
}

/** Sizes of Stable Diffusion XL, which most open models are trained with. */
const openModels: ModelLimits = {
  sizes: ['768x1344', '896x1152', '1024x1024', '1152x896', '1344x768'],
  promptCharactersMax: 4_000,
}
const limitsByModel: [model: RegExp, limits: ModelLimits][] = [
  [
    /gpt-image|chatgpt-image/,
    {
      sizes: ['1024x1536', '1024x1024', '1536x1024'],
      promptCharactersMax: 32_000,
      // The default of the model chooses "high" for many prompts, at four times the price.
      fields: { quality: 'medium' },
    },
  ],
  [/dall-e-3/, { sizes: ['1024x1792', '1024x1024', '1792x1024'], promptCharactersMax: 4_000 }],
  [/dall-e-2/, { sizes: ['1024x1024'], promptCharactersMax: 1_000 }],
]

const responseSchema = v.object({
  data: v.tupleWithRest([v.object({ b64_json: v.nullish(v.string()), url: v.nullish(v.string()) })], v.unknown()),
})

export function openAiImages(server: OpenAiServer): Images {
  const vendor = openAiVendor(server)
  const limits = limitsByModel.find(([model]) => model.test(server.model))?.[1] ?? openModels
  return {
    id: `openai-images-1/${new URL(server.baseUrl).host}/${server.model}`,
    async draw(input, signal) {
      const bytes = await pictureIn(vendor, await generate(vendor, server.model, input, limits, signal), signal)
      return asPicture(bytes, input, vendor.name, signal)
    },
  }
}

async function generate(
  vendor: Vendor,
  model: string,
  input: PictureInput,
  { sizes, promptCharactersMax, fields }: ModelLimits,
  signal: AbortSignal | undefined,
) {
  const prompt = promptOf(input, promptCharactersMax)
  const order = (body: object) => {
    const request = { path: '/images/generations', body, deadlineMs, bytesMax: responseBytesMax }
    return callVendor(vendor, { ...request, ...(signal && { signal }) }, responseSchema)
  }
  try {
    return await order({ model, prompt, n: 1, size: nearestSize(sizes, input), ...fields })
  } catch (error) {
    // A model with other sizes: its default size is cropped.
    if (!(error instanceof VendorRejected && /\bsize\b|\bquality\b/i.test(error.message))) throw error
    return order({ model, prompt, n: 1 })
  }
}

/** The rules about text are kept when a prompt is cut. */
function promptOf({ prompt, mood, take }: PictureInput, lengthMax: number): string {
  const rest = [mood && `${mood} mood.`, take && `Variation ${take}.`, withoutText].filter(Boolean).join(' ')
  return `${prompt.slice(0, lengthMax - rest.length - 2)}. ${rest}`
}

/** By the ratio of width to height. */
function nearestSize(sizes: readonly string[], { width, height }: PictureInput): string {
  const distance = (size: string) => {
    const [w = 1, h = 1] = size.split('x').map(Number)
    return Math.abs(Math.log((w / h) * (height / width)))
  }
  return sizes.toSorted((a, b) => distance(a) - distance(b))[0]!
}

async function pictureIn(
  vendor: Vendor,
  { data: [picture] }: v.InferOutput<typeof responseSchema>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const inline = picture.b64_json ?? (picture.url?.startsWith('data:') ? picture.url : undefined)
  if (inline) return Buffer.from(inline.replace(/^data:[^,]*,/, ''), 'base64')
  // LocalAI answers with an address of its own.
  const url = URL.parse(picture.url ?? '', vendor.url)
  if (!picture.url || !url) throw new ProviderBusy(`${vendor.name} returned no picture.`)
  const limits = { deadlineMs, bytesMax: pictureBytesMax }
  return downloadFromVendor(vendor, url.href, { ...limits, ...(signal && { signal }) })
}

async function asPicture(
  bytes: Uint8Array,
  size: PictureInput,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Picture> {
  const kind = detectDemuxer(bytes)
  if (kind === 'png_pipe') return { bytes, contentType: 'image/png' }
  if (kind === 'jpeg_pipe') return { bytes, contentType: 'image/jpeg' }
  if (kind !== 'webp_pipe') throw new ProviderBusy(`${name} returned no picture.`)
  const directory = await mkdtemp(join(tmpdir(), 'picture-'))
  try {
    return {
      bytes: await stillAsJpeg(bytes, size, { directory, ...(signal && { signal }) }),
      contentType: 'image/jpeg',
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
