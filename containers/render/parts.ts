/** What a film is put together from: each segment with its key, which is also the name of its file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Composition } from '../../lib/render/composition.ts'
import type { RenderPlan, Segment } from '../../lib/render/plan.ts'
import { atItsStart, segmentKey } from '../../lib/render/segment-key.ts'
import { prepareCaptions } from './captions.ts'
import { toolsOf } from './tools.ts'
import { together, type Workplace } from './workplace.ts'

export interface Part {
  /** As the plan has it: what its layers are made of is looked up by these. */
  planned: Segment
  /** As it is rendered: seen from its own beginning. */
  segment: Segment
  /** Scratch file with the caption script, where there are captions. */
  script: string | undefined
  /** Scratch file to render into; also the name in the store. Segments that show the same have the same. */
  file: string
}

/** `tools` stands for the programs that draw and encode: each build makes other bytes. */
export async function partsOf(
  plan: RenderPlan,
  composition: Composition,
  place: Workplace,
): Promise<{ parts: Part[]; tools: string }> {
  const [tools, writeCaptions] = await together([
    toolsOf(place),
    composition.pages.length > 0 ? prepareCaptions(composition, place) : undefined,
  ])
  const partOf = async (planned: Segment): Promise<Part> => {
    const segment = atItsStart(planned, plan.fps)
    const captions = segment.pages.length > 0 ? writeCaptions?.(segment.pages) : undefined
    const { width, height, fps } = plan
    const key = segmentKey({ width, height, fps }, segment, captions, tools)
    const script = captions && `${key}.ass`
    if (script) await writeFile(join(place.directory, script), captions.script)
    return { planned, segment, script, file: `${key}.mp4` }
  }
  const parts: Part[] = []
  for (const planned of plan.segments) {
    // To draw words as outlines takes time: in between the render hears when it is cancelled.
    await otherWork()
    place.signal.throwIfAborted()
    parts.push(await partOf(planned))
  }
  return { parts, tools }
}
