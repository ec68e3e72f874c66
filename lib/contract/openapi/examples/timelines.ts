/** Example responses of `routes/timelines.ts`. */
import * as v from 'valibot'
import { mergeBRolls } from '../../../domain/generation/b-rolls.ts'
import { mergeCaptions, paginateCaptions, toCaptionWords } from '../../../domain/generation/captions/captions.ts'
import { mergePresentationScenes } from '../../../domain/generation/scenes/presentation-scenes.ts'
import {
  replaceBRollsRequest,
  replaceCaptionsRequest,
  replacePresentationScenesRequest,
} from '../../requests/timelines.ts'
import * as routes from '../../routes/timelines.ts'
import { bRollView } from '../../views/index.ts'
import type { ExampleScenario } from './scenario.ts'

export function timelineExamples({ ready, mediaUrl }: ExampleScenario) {
  const mint = (prefix: string) => `${prefix}_01kbexample`
  const captions = toCaptionWords([{ text: 'Calm', startMs: 0, endMs: 310 }], () => mint('cap'))
  const captionsPages = paginateCaptions(captions, () => mint('pag'))
  const replacement = v.parse(replaceCaptionsRequest, routes.replaceCaptions.bodyExample)
  const segments = mergeBRolls([], v.parse(replaceBRollsRequest, routes.replaceBRolls.bodyExample), mint)
  const still = { kind: 'still' as const, key: 'visuals/1679091c5a880faf6fb5e6087eb1b2dc.png' }
  const footage = { kind: 'clip' as const, key: 'visuals/eccbc87e4b5ce2fe28308fd9f2a7baf3.mp4' }
  const presenter = {
    ...routes.makePresenter.bodyExample,
    bytes: 1_204_331,
    generatedAt: '2026-11-02T09:02:30.000Z',
  }
  const sent = v.parse(replacePresentationScenesRequest, routes.replacePresentationScenes.bodyExample)
  const { durationSeconds } = ready
  const scenes = mergePresentationScenes({ durationSeconds }, { captions, presentationScenes: [] }, sent, mint)
  return {
    replaceCaptions: mergeCaptions({ captions, captionsPages }, replacement, mint),
    replaceBRolls: segments.map((segment) => bRollView({ ...segment, media: still }, mediaUrl)),
    setBRollPicture: bRollView({ ...segments[0]!, media: still }, mediaUrl),
    makePresenter: bRollView({ ...segments[0]!, media: footage, presenter }, mediaUrl),
    listPresentationScenes: scenes,
    replacePresentationScenes: scenes,
    recutPresentation: scenes,
  }
}
