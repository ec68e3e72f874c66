/** The program of a test page: draws frames with the preview of the studio and hands their bytes to the test. */

import type { Composition } from '../../lib/render/composition.ts'
import { drawSprites } from '../../lib/render/drawing/draw-sprites.ts'
import { planRender } from '../../lib/render/segments/render-plan.ts'
import { loadAssets } from '../../studio/preview/assets.ts'
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

Object.assign(globalThis, { drawFrames, createPlayer })
