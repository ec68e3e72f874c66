/**
 * Chooses the workers of a render: a function, a fan-out of functions, or tasks. Functions start in seconds; a task
 * takes 20 to 60 s to start, but has no time limit. Pure: reads no file and no store.
 */
import type { Composition } from '../composition.ts'
import { type Batch, divideByCost } from './batches.ts'
import factors from './lane-factors.json' with { type: 'json' }
import type { Segment } from './render-plan.ts'

/** The deployment's limits. */
export interface LaneLimits {
  /** Parallel functions of one render; 0: functions are off, 1: no fan-out. */
  functionsMax: number
  functionVcpus: number
  /** Parallel tasks of one render. */
  tasksMax: number
}

type SegmentsPart = { part: 'segments' } & Batch

/** What one parallel worker renders into the segment store. */
export type RenderPart = SegmentsPart | { part: 'sound' } | { part: 'thumbnail' }

/** The parts are rendered in parallel; then one more worker of the lane renders what is missing and joins all. */
export type LanePlan =
  | { lane: 'function'; parts: [] }
  | { lane: 'functions'; parts: RenderPart[] }
  | { lane: 'task'; parts: SegmentsPart[] }

/**
 * CPU seconds that a single function with a vCPU or more may render: within its time limit of 180 s on one vCPU. A function
 * with a part of a vCPU may render that part of them.
 */
export const functionCpuSecondsMax = 100
/** CPU seconds that a fan-out of functions may render; tasks cost less from here. */
export const fanOutCpuSecondsMax = 1_600
/** The scratch space of a function also holds the segments and the joined video. */
export const functionMediaBytesMax = 1_500_000_000
/** Wall seconds that each function of a fan-out should take. */
const secondsOfPart = 4
const partsMax = 40

/** Seconds of an ARM vCPU per CPU second of the machine that measured the factors. Assumed: between 1.0 and 1.6. */
const cpuFactor = 1.3
const referencePixels = 1080 * 1920

/** `missing`: the segments to render. `mediaBytes`: total size of the media that they show. */
export function planLane(
  composition: Composition,
  missing: readonly Segment[],
  mediaBytes: number,
  limits: LaneLimits,
): LanePlan {
  const { functionsMax, functionVcpus, tasksMax } = limits
  const cpuSeconds = estimateCpuSeconds(composition, missing)
  const isFunctionAllowed = functionsMax > 0 && mediaBytes <= functionMediaBytesMax
  if (isFunctionAllowed && cpuSeconds <= functionCpuSecondsMax * Math.min(functionVcpus, 1))
    return { lane: 'function', parts: [] }
  if (isFunctionAllowed && functionsMax > 1 && cpuSeconds <= fanOutCpuSecondsMax) {
    const segments = segmentParts(composition, missing, functionCount(cpuSeconds, limits))
    return { lane: 'functions', parts: [{ part: 'sound' }, { part: 'thumbnail' }, ...segments] }
  }
  return { lane: 'task', parts: segmentParts(composition, missing, taskCount(composition, missing, tasksMax)) }
}

/** The parallel functions that render segments of so many CPU seconds. */
export function functionCount(
  cpuSeconds: number,
  { functionsMax, functionVcpus }: Pick<LaneLimits, 'functionsMax' | 'functionVcpus'>,
): number {
  const wanted = Math.ceil(cpuSeconds / (functionVcpus * secondsOfPart))
  return Math.max(2, Math.min(wanted, functionsMax, partsMax))
}

/** CPU seconds of a vCPU of the deployment for a render of these segments. */
export const estimateCpuSeconds = (composition: Composition, missing: readonly Segment[]): number =>
  cpuFactor *
  (factors.startSeconds +
    pixelFactor(composition) * missing.reduce((sum, segment) => sum + referenceSecondsOf(segment), 0))

const pixelFactor = ({ width, height }: Composition) => (width * height) / referencePixels

/** CPU seconds of a segment at 1080x1920 on the machine that measured the factors. */
function referenceSecondsOf(segment: Segment): number {
  const { layer, fade } = segment
  const frames = lengthOf(segment)
  const fading = fade?.from.media.kind === 'clip' ? fade.frames : 0
  const clipFrames = layer.media.kind === 'clip' ? frames : fading
  return clipFrames * factors.clipFrameSeconds + (frames - clipFrames) * factors.stillFrameSeconds
}

const lengthOf = ({ fromFrame, toFrame }: Segment) => toFrame - fromFrame

/**
 * A task renders 2.4 s of video per second and takes 20 to 60 s to start: with less to render than this, the parallel
 * tasks would start later than a single task ends.
 */
const parallelTasksSecondsMin = 240
/** The least work that is worth a task. */
const secondsOfTaskMin = 60

function taskCount({ fps }: Composition, missing: readonly Segment[], tasksMax: number): number {
  const seconds = missing.reduce((sum, segment) => sum + lengthOf(segment), 0) / fps
  return seconds < parallelTasksSecondsMin ? 1 : Math.min(tasksMax, Math.floor(seconds / secondsOfTaskMin))
}

/** No parts where one worker would render all segments. */
function segmentParts({ durationMs, fps }: Composition, missing: readonly Segment[], count: number): SegmentsPart[] {
  if (count < 2) return []
  const end = Math.round((durationMs * fps) / 1000)
  return divideByCost(missing, count, end, referenceSecondsOf).map((batch) => ({ part: 'segments', ...batch }))
}
