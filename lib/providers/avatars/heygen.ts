/**
 * Speaking portraits by HeyGen, API v3 (`POST /v3/assets`, `POST /v3/videos`, `GET /v3/videos/{id}`):
 * https://developers.heygen.com/reference/create-video (read November 2026). Idempotency keys are valid for 24 hours,
 * longer than any run.
 */
import * as v from 'valibot'
import { truncate } from '../../domain/core/text.ts'
import { encodeWav } from '../../render/sound/wav.ts'
import { nearestAspectRatio } from '../aspect-ratio.ts'
import type { Clip } from '../footage/index.ts'
import { normaliseClip } from '../footage/normalise-clip.ts'
import { callVendor, downloadFromVendor, type Vendor } from '../vendor.ts'
import { type OrderApi, OrderFailed, runOrder } from '../vendor-orders.ts'
import { portraitAsJpeg } from './built-in.ts'
import type { AvatarInput, Avatars } from './index.ts'

const aspectRatios = ['16:9', '9:16', '4:5', '5:4', '1:1'] as const
const uploadDeadlineMs = 60_000
const videoBytesMax = 200 * 1024 * 1024
const downloadDeadlineMs = 120_000

const assetSchema = v.object({ data: v.object({ asset_id: v.string() }) })
const submittedSchema = v.object({ data: v.object({ video_id: v.string() }) })
const videoSchema = v.object({
  data: v.object({
    status: v.picklist(['waiting', 'pending', 'processing', 'completed', 'failed']),
    video_url: v.nullish(v.string()),
    failure_message: v.nullish(v.string()),
  }),
})
const errorSchema = v.object({ error: v.object({ message: v.string() }) })

export function heygenAvatars({ url, key }: { url: string; key: string }): Avatars {
  const vendor: Vendor = { name: 'HeyGen', url, headers: { 'x-api-key': key }, reasonOf }
  const upload = async (name: string, type: string, bytes: Uint8Array) => {
    const request = { path: '/v3/assets', file: { name, type, bytes }, deadlineMs: uploadDeadlineMs }
    return (await callVendor(vendor, request, assetSchema)).data.asset_id
  }
  const api: OrderApi<AvatarInput, Clip> = {
    name: 'HeyGen',
    isIdempotent: true,
    submit: async ({ portrait, voice, width, height }, token) => {
      const image = await upload('portrait.jpg', 'image/jpeg', portrait)
      const audio = await upload('voice.wav', 'audio/wav', encodeWav(voice))
      const body = {
        type: 'image',
        image: { type: 'asset_id', asset_id: image },
        audio_asset_id: audio,
        aspect_ratio: nearestAspectRatio(aspectRatios, { width, height }),
        resolution: '720p',
      }
      const request = { path: '/v3/videos', body, headers: { 'idempotency-key': token } }
      return (await callVendor(vendor, request, submittedSchema)).data.video_id
    },
    poll: async (videoId, { signal }) => {
      const { data } = await callVendor(
        vendor,
        { path: `/v3/videos/${encodeURIComponent(videoId)}`, signal },
        videoSchema,
      )
      if (data.status === 'failed')
        throw new OrderFailed(`HeyGen could not generate this: ${truncate(data.failure_message ?? 'no reason given')}`)
      return data.status === 'completed' ? (data.video_url ?? undefined) : undefined
    },
    collect: async (address, input, { directory, signal }) => {
      const limits = { deadlineMs: downloadDeadlineMs, bytesMax: videoBytesMax, signal }
      const bytes = await downloadFromVendor(vendor, address, limits)
      return normaliseClip(bytes, input, { directory, signal, from: 'HeyGen', maySlowDown: false })
    },
  }
  return {
    id: 'heygen-1',
    speak: async (input, context) =>
      runOrder(api, { ...input, portrait: await portraitAsJpeg(input.portrait, input, context) }, context),
  }
}

const reasonOf = (body: unknown) => {
  const parsed = v.safeParse(errorSchema, body)
  return parsed.success ? parsed.output.error.message : undefined
}
