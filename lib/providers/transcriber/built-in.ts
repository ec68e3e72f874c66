/**
 * Built-in transcriber, without speech recognition: words come from the subtitles in the file. Without subtitles it
 * only returns the passages with sound. Needs no key and no network.
 */
import { transcriberIds } from '../../domain/generation/source.ts'
import { restrictedInput } from '../../ffmpeg/limits.ts'
import { runFfmpeg } from '../../ffmpeg/run.ts'
import type { Recording, Transcriber } from './index.ts'
import { passagesOf } from './passages.ts'
import { parseWebVtt, wordsOfCues } from './webvtt.ts'

export const builtInTranscriber: Transcriber = {
  id: transcriberIds['built-in'],
  async transcribe(recording) {
    const words = recording.hasSubtitles ? wordsOfCues(parseWebVtt(await subtitlesOf(recording))) : []
    return { words, passages: passagesOf(recording.samples, recording.sampleRate) }
  },
}

/** The first subtitle stream of the file as WebVTT. */
async function subtitlesOf({ path, demuxer, ffmpeg }: Recording): Promise<string> {
  const { output } = await runFfmpeg({
    ...ffmpeg,
    arguments: ['-v', 'error', ...restrictedInput(path, demuxer), '-map', '0:s:0', '-f', 'webvtt', 'pipe:1'],
  })
  return output.toString('utf8')
}
