/** What a film is put together from: each segment with its key, which is also the name of its file. */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { RenderPlan, Segment } from '../../../lib/render/segments/render-plan.ts'
import { rebaseSegment, segmentKey } from '../../../lib/render/segments/segment-key.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { toolchainFingerprint } from './toolchain-fingerprint.ts'

export interface SegmentFile {
  /** As the plan has it: what its layers are made of is looked up by these. */
  planned: Segment
  /** As it is rendered: seen from its own beginning. */
  segment: Segment
  /** Scratch file to render into; also the name in the store. Segments that show the same have the same. */
  file: string
}

/** `tools` stands for the programs that draw and encode: each build makes other bytes. */
export async function segmentFilesOf(
  plan: RenderPlan,
  place: FfmpegContext,
): Promise<{ parts: SegmentFile[]; tools: string }> {
  const tools = await toolchainFingerprint(place)
  const { width, height, fps } = plan
  const parts: SegmentFile[] = []
  for (const planned of plan.segments) {
    // A key is the hash of all that is drawn: in between the render hears when it is cancelled.
    await otherWork()
    place.signal.throwIfAborted()
    const segment = rebaseSegment(planned, fps)
    parts.push({ planned, segment, file: `${segmentKey({ width, height, fps }, segment, tools)}.mp4` })
  }
  return { parts, tools }
}
