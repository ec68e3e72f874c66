/** The factors of `lib/render/segments/lane.ts`, from the result of a bench. */
import type { Figures } from '../figures.ts'

/** The content of `lane-factors.json`. Rounded: runs of the same machine differ by 5 %. */
export const laneFactors = ({ startSeconds, stillFrameSeconds, clipFrameSeconds }: Figures['lane']) => ({
  generated: 'Written by `npm run bench:lane -- keep`; do not edit.',
  startSeconds: Number(startSeconds.toFixed(1)),
  stillFrameSeconds: Number(stillFrameSeconds.toFixed(3)),
  clipFrameSeconds: Number(clipFrameSeconds.toFixed(3)),
})
