/** The slide templates by their names in the API. */
import type { Template } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { SlideContext, SlideElement } from './slide-context.ts'
import { bigNumber } from './templates/big-number.ts'
import { callToAction } from './templates/call-to-action.ts'
import { comparison } from './templates/comparison.ts'
import { heroTitle } from './templates/hero-title.ts'
import { imageFull } from './templates/image-full.ts'
import { bulletList, flowSteps, timeline } from './templates/lists.ts'
import { quote } from './templates/quote.ts'

export const templateRenderers: Record<Template, (context: SlideContext) => SlideElement[]> = {
  heroTitle,
  flowSteps,
  bulletList,
  bigNumber,
  quote,
  comparison,
  timeline,
  imageFull,
  callToAction,
}
