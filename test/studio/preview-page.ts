/** The program of a test page: draws frames with the preview of the studio and hands their bytes to the test. */

import type { Composition } from '../../lib/render/composition.ts'
import { drawSprites } from '../../lib/render/drawing/draw-sprites.ts'
import { planRender } from '../../lib/render/segments/render-plan.ts'
import { loadAssets } from '../../studio/preview/assets.ts'
import type { PreviewVideo } from '../../studio/preview/composition.ts'
import { createFrameDrawer } from '../../studio/preview/frame-drawer.ts'
import { createPlayer } from '../../studio/preview/player.ts'

const assets = loadAssets(new URL('/assets/', location.href).href)

/** The raw frames in base64. */
async function drawFrames(composition: Composition, frames: number[]): Promise<string[]> {
  const plan = planRender(await drawSprites(composition, await assets))
  const drawer = createFrameDrawer(plan, await assets)
  await drawer.use(plan)
  const drawn: string[] = []
  for (const frame of frames) drawn.push((await drawer.draw(frame)).toBase64())
  return drawn
}

export interface PreviewFigures {
  framesPerSecond: number
  editMs: number
  firstFrameMs: number
}

/** Plays a video for some seconds, then edits words. */
async function measure(video: PreviewVideo): Promise<PreviewFigures> {
  const canvas = document.createElement('canvas')
  document.body.append(canvas)
  let shown = 0
  let count = 0
  let wake = () => {}
  const url = (name: string) => new URL(`/program/${name}.js`, location.href).href
  const options = {
    assets: new URL('/assets/', location.href).href,
    workers: { picture: url('worker'), sound: url('sound') },
  }
  const openedAt = performance.now()
  const player = createPlayer(canvas, options, {
    onFrame: (_, revision) => {
      shown = revision
      count++
      wake()
    },
    ...{ onTiming: () => {}, onPlaying: () => {}, onSound: () => {} },
    onFailure: (message) => console.error(message),
  })
  const isShown = async (revision: number) => {
    while (shown < revision) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await isShown(player.show(video))
  const firstFrameMs = performance.now() - openedAt
  await pause(1_500)
  count = 0
  player.play()
  await pause(10_000)
  player.pause()
  const framesPerSecond = count / 10
  player.seek(45)
  await pause(500)
  const times: number[] = []
  for (const text of ['a', 'ab', 'abc', 'abcd', 'abcde']) {
    const captions = video.captions!.map((word, index) => (index === 5 ? { ...word, punctuated_word: text } : word))
    const editedAt = performance.now()
    await isShown(player.show({ ...video, captions }))
    times.push(performance.now() - editedAt)
    await pause(200)
  }
  player.close()
  canvas.remove()
  return { framesPerSecond, editMs: times.toSorted((a, b) => a - b)[2]!, firstFrameMs }
}

Object.assign(globalThis, { drawFrames, measure })
