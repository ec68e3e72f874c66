/** From a video to the plan of its preview, as the renderer plans it. */

import type { Composition } from '../../lib/render/composition.ts'
import { drawSprites } from '../../lib/render/drawing/draw-sprites.ts'
import type { Size } from '../../lib/render/framing.ts'
import { memoize } from '../../lib/render/memoize.ts'
import { planRender, type RenderPlan } from '../../lib/render/segments/render-plan.ts'
import type { BrandPicture } from '../../lib/render/slides/slide.ts'
import { type ClientPictures, pictureUrls } from '../../lib/render/slides/slides-from-scenes.ts'
import type { BrowserAssets } from './assets.ts'
import { composePreview, type PreviewVideo } from './composition.ts'

export interface PlannedPreview {
  composition: Composition
  plan: RenderPlan
}

/** Returns a function that plans; it remembers the sizes of the client's images. */
export function createPlanner(assets: BrowserAssets): (video: PreviewVideo, size: Size) => Promise<PlannedPreview> {
  const pictureAt = memoize(async (url: string): Promise<[string, BrandPicture][]> => {
    const image = await assets.image(url)
    return image ? [[url, { key: url, width: image.width, height: image.height }]] : []
  })
  const picturesOf = async ({ config, presentationScenes = [] }: PreviewVideo): Promise<ClientPictures> => {
    const { presentationLogoUrl = [], presentationIconUrl = [] } = config
    const urls = [presentationLogoUrl, presentationIconUrl, pictureUrls(presentationScenes)].flat()
    return Object.fromEntries((await Promise.all(urls.map(pictureAt))).flat())
  }
  return async (video, size) => {
    const composition = composePreview(video, await picturesOf(video), size)
    return { composition, plan: planRender(await drawSprites(composition, assets)) }
  }
}
