/** Where a render does its work, and how long it may take: what every step needs to run ffmpeg. */
import type { FfmpegRun } from '../../lib/ffmpeg/run.ts'

/** `directory` is the scratch directory; names of scratch files are relative to it. */
export type FfmpegContext = Required<Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>> & Pick<FfmpegRun, 'stallMs'>
