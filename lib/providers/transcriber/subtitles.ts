/** Transcript without speech recognition: the words come from the subtitles in the file. Needs no key and no network. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { type Demuxer, restrictedInput } from '../../ffmpeg/limits.ts'
import { type FfmpegRun, runFfmpeg } from '../../ffmpeg/run.ts'
import { parseWebVtt, wordsOfCues } from './webvtt.ts'

interface SubtitledFile {
  path: string
  demuxer: Demuxer
}

/** The words of the first subtitle stream. */
export async function wordsOfSubtitles(
  { path, demuxer }: SubtitledFile,
  context: Required<Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>>,
): Promise<TimedWord[]> {
  const { output } = await runFfmpeg({
    ...context,
    arguments: ['-v', 'error', ...restrictedInput(path, demuxer), '-map', '0:s:0', '-f', 'webvtt', 'pipe:1'],
  })
  return wordsOfCues(parseWebVtt(output.toString('utf8')))
}
