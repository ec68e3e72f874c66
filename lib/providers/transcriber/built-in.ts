/**
 * The transcriber that needs no service. It cannot understand speech: it reads the subtitles that a file brings along, and where
 * there are none it tells only when something is heard.
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

/** The first subtitles of the file, as WebVTT. */
async function subtitlesOf({ path, demuxer, place }: Recording): Promise<string> {
  const { output } = await runFfmpeg({
    ...place,
    arguments: ['-v', 'error', ...restrictedInput(path, demuxer), '-map', '0:s:0', '-f', 'webvtt', 'pipe:1'],
  })
  return output.toString('utf8')
}
