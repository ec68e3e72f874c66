/** Supplies the pictures of layers: stills and drawings as one frame, clips picture by picture. Keeps what it loaded. */

import type { PictureBuffer } from '../../lib/motion/kernel.ts'
import { opaqueFrame } from '../../lib/motion/overlay-planes.ts'
import { layerSourceSize, type Size } from '../../lib/render/framing.ts'
import type { FrameFormat, Layer } from '../../lib/render/segments/render-plan.ts'
import type { BrowserAssets } from './assets.ts'
import { ClipDecoder } from './clip-decoder.ts'
import { readMp4 } from './mp4.ts'
import { type ClipScaler, createClipScaler } from './planes.ts'
import { openRemoteFile } from './remote-file.ts'
import { stillFrame } from './still-planes.ts'
import { losesMuch } from './whole-picture.ts'

interface Clip {
  decoder: ClipDecoder
  scaler: ClipScaler
  /** The picture that was scaled last, and its planes. */
  shown?: { picture: number; planes: Uint8Array }
  /** Frames until it starts over. */
  frames: number
}

export interface PictureSource {
  /** Fills the buffer, whose size is that of `layerSourceSize`, with what a layer shows in a frame. */
  fill(buffer: PictureBuffer, layer: Layer, frame: number): Promise<void>
  /** Downloads what a layer shows. */
  prepare(layer: Layer): Promise<unknown>
  /** Forgets media that no layer shows. */
  keep(layers: readonly Layer[]): void
}

export function createPictureSource(format: FrameFormat, assets: BrowserAssets): PictureSource {
  const files = new Map<string, Promise<Blob>>()
  const stills = new Map<string, Promise<Uint8Array>>()
  const clips = new Map<string, Promise<Clip>>()
  const remember = <Value>(cache: Map<string, Promise<Value>>, key: string, load: () => Promise<Value>) => {
    const value = cache.get(key) ?? load()
    cache.set(key, value)
    // The next try downloads again.
    value.catch(() => cache.delete(key))
    return value
  }
  const download = (url: string) =>
    remember(files, url, async () => {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`A picture cannot be loaded: the server responds with ${response.status}.`)
      return response.blob()
    })
  const nameOf = ({ media, motion, punchIns, fit }: Layer, size: Size) =>
    JSON.stringify([media, size, media.kind === 'clip' ? [motion, punchIns, fit] : []])

  const still = (layer: Layer) => {
    const size = layerSourceSize(layer, format)
    return remember(stills, nameOf(layer, size), async () => {
      const { media } = layer
      if (media.kind !== 'drawing') return stillFrame(await download(media.key), size)
      return opaqueFrame(await assets.rasterise(media, size.width / format.width))
    })
  }
  const clip = (layer: Layer, url: string) => {
    const size = layerSourceSize(layer, format)
    return remember(clips, nameOf(layer, size), async (): Promise<Clip> => {
      const file = openRemoteFile(url)
      const video = await readMp4(file)
      const scaler = await createClipScaler(
        video,
        size,
        layer.fit === 'whole' && losesMuch(video, size),
        assets.readKernel,
      )
      return {
        decoder: new ClipDecoder(file, video),
        scaler,
        frames: Math.max(1, Math.round(video.seconds * format.fps)),
      }
    })
  }
  const prepare = (layer: Layer): Promise<unknown> =>
    layer.media.kind === 'clip' ? clip(layer, layer.media.key) : still(layer)
  return {
    prepare,
    fill: async (buffer, layer, frame) => {
      if (layer.media.kind !== 'clip') return buffer.bytes.set(await still(layer))
      const playing = await clip(layer, layer.media.key)
      const position = (layer.offsetFrames + frame - layer.fromFrame) % playing.frames
      const picture = playing.decoder.pictureAt(position, format.fps)
      if (playing.shown?.picture !== picture) {
        const planes = await playing.scaler(await playing.decoder.picture(picture))
        playing.shown = { picture, planes: planes.slice() }
      }
      buffer.bytes.set(playing.shown!.planes)
    },
    keep: (layers) => {
      const names = new Set(layers.map((layer) => nameOf(layer, layerSourceSize(layer, format))))
      const urls = new Set(layers.flatMap(({ media }) => ('key' in media ? media.key : [])))
      for (const [name, value] of clips) {
        if (names.has(name)) continue
        clips.delete(name)
        void value.then(({ decoder }) => decoder.close())
      }
      for (const name of stills.keys()) if (!names.has(name)) stills.delete(name)
      for (const url of files.keys()) if (!urls.has(url)) files.delete(url)
    },
  }
}
