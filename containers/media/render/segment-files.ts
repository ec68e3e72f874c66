/** The segments of a plan with their file names, which are their keys. */
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { rebaseSegment } from '../../../lib/render/segments/rebase-segment.ts'
import type { RenderPlan, Segment } from '../../../lib/render/segments/render-plan.ts'
import { segmentKey } from '../../../lib/render/segments/segment-key.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'

export interface SegmentFile {
  /** As in the plan: materials are looked up by its layers. */
  planned: Segment
  /** As it is rendered: on a clock that starts with the segment. */
  segment: Segment
  /** Name of the scratch file and in the segment store. Segments with the same content share it. */
  file: string
}

/** `tools` is the fingerprint of the toolchain. */
export async function segmentFilesOf(
  plan: RenderPlan,
  tools: string,
  { signal }: Pick<FfmpegContext, 'signal'>,
): Promise<SegmentFile[]> {
  const { width, height, fps } = plan
  const segmentFiles: SegmentFile[] = []
  for (const planned of plan.segments) {
    // Hashing is slow and synchronous: an abort is observed between segments.
    await yieldToEvents()
    signal.throwIfAborted()
    const segment = rebaseSegment(planned, fps)
    segmentFiles.push({ planned, segment, file: `${segmentKey({ width, height, fps }, segment, tools)}.mp4` })
  }
  return segmentFiles
}

/** Total number of frames. */
export const frameCount = (segments: readonly Pick<SegmentFile, 'segment'>[]): number =>
  segments.reduce((sum, { segment: { fromFrame, toFrame } }) => sum + toFrame - fromFrame, 0)
