/** What every step needs to run ffmpeg: the scratch directory, the abort signal and the time limits. */
import type { FfmpegRun } from '../../lib/ffmpeg/run.ts'

/** Names of scratch files are relative to `directory`. */
export type FfmpegContext = Required<Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>> & Pick<FfmpegRun, 'stallMs'>
