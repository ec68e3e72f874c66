/** The plan of a video's pictures, and where it is told which pictures were made for it. */
import type { StoredBRoll } from './timelines/brolls.ts'
import type { PlannedShot } from './visuals.ts'

export type VisualPlan = PlannedShot[]
/** The segments of a plan with their media: written by whoever made the pictures, once all of them are kept. */
export type MadeVisuals = StoredBRoll[]

/** A container cannot answer its state machine, so the result of a plan lies beside the plan. */
export const madeVisualsKey = (planKey: string) => planKey.replace(/\.json$/, '.made.json')
