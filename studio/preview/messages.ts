/** What a page and the worker of its preview say to each other. */
import type { Music } from '../../lib/render/music/bed.ts'
import type { PreviewVideo } from './composition.ts'

export type PreviewRequest =
  | { kind: 'open'; assets: string; canvas: OffscreenCanvas; shortSide: number }
  /** `revision` rises with every edit. */
  | { kind: 'show'; video: PreviewVideo; revision: number }
  | { kind: 'draw'; frame: number }

export type PreviewReply =
  | { kind: 'planned'; revision: number; timing: PreviewTiming }
  /** The frame is on the canvas. */
  | { kind: 'drawn'; frame: number; revision: number }
  | { kind: 'failed'; message: string }

export interface PreviewTiming {
  fps: number
  frames: number
  width: number
  height: number
  sound: SoundRequest
}

/** A soundtrack to mix. */
export interface SoundRequest {
  narrationUrl: string
  music?: Music
  seconds: number
}
export type SoundReply = { sampleRate: number; samples: Int16Array } | { failure: string }
