/** Body of POST /quotes. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { freeformObject } from './timelines.ts'

/** The operation ids of the paid actions. */
export const quotedActions = [
  'createVideo',
  'processVideo',
  'writeScript',
  'createClip',
  'createAutomation',
  'describeVideo',
  'drawSceneImage',
  'makePresenter',
  'recutPresentation',
] as const
export type QuotedAction = (typeof quotedActions)[number]

/** Those of the action's path; a malformed one gets the 404 of an unknown one. */
const pathId = v.exactOptional(boundedText(64))

export const createQuoteRequest = v.object({
  action: v.picklist(quotedActions),
  id: pathId,
  sceneId: pathId,
  brollId: pathId,
  body: freeformObject,
})
