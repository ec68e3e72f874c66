/** Transcriber by a server with OpenAI's API. A long recording is sent in pieces that are cut in pauses. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { type Passage, transcriberIds } from '../../domain/generation/source.ts'
import { type PcmSound, parseWav, sliceSound } from '../../render/sound/wav.ts'
import type { OpenAiServer } from '../openai/server.ts'
import { transcribeSound } from '../openai/transcription.ts'
import type { Transcriber } from './index.ts'

/** Five minutes at 16 kHz are 9.6 MB: below 25 MB of OpenAI, and short enough for a server without a GPU. */
const pieceMsMax = 300_000
const sampleRateMax = 16_000
const deadlineMs = 300_000
/** Whisper writes words such as "Thank you." where nothing is said: a word this far from any sound is none. */
const strayMsMax = 500

interface OpenAiTranscriberDeps {
  read: (key: string) => Promise<Uint8Array>
  /** Of a piece, in milliseconds. */
  longestMs?: number
}

export const openAiTranscriber = (
  server: OpenAiServer,
  { read, longestMs = pieceMsMax }: OpenAiTranscriberDeps,
): Transcriber => ({
  id: transcriberIds.openai,
  async transcribe({ soundKey, passages }, { signal, makeOnce }) {
    const sound = parseWav(await read(soundKey))
    const words: TimedWord[] = []
    for (const piece of piecesOf(passages, longestMs)) {
      const heard = await makeOnce(piece, () =>
        transcribeSound(server, reduceRate(sliceSound(sound, piece.startMs, piece.endMs)), { deadlineMs, signal }),
      )
      for (const { text, startMs, endMs } of heard)
        words.push({ text, startMs: startMs + piece.startMs, endMs: endMs + piece.startMs })
    }
    return words.filter((word) => isHeard(word, passages))
  },
})

/** Few pieces of whole passages, with the pauses around them; a longer passage is cut. */
function piecesOf(passages: readonly Passage[], longestMs: number): Passage[] {
  const whole = passages.flatMap(({ startMs, endMs }) => {
    const parts = Math.ceil((endMs - startMs) / longestMs)
    const partMs = (endMs - startMs) / parts
    return Array.from({ length: parts }, (_, part) => ({
      startMs: Math.round(startMs + part * partMs),
      endMs: Math.round(startMs + (part + 1) * partMs),
    }))
  })
  const pieces: Passage[] = []
  for (const passage of whole) {
    const last = pieces.at(-1)
    if (last && passage.endMs - last.startMs <= longestMs) last.endMs = passage.endMs
    else pieces.push({ ...passage })
  }
  return pieces
}

const isHeard = ({ startMs, endMs }: Passage, passages: readonly Passage[]) =>
  passages.some((passage) => startMs < passage.endMs + strayMsMax && endMs > passage.startMs - strayMsMax)

/** Recognisers work at 16 kHz. The mean of adjacent samples is filter enough for them. */
function reduceRate({ samples, sampleRate }: PcmSound): PcmSound {
  const factor = Math.floor(sampleRate / sampleRateMax)
  if (factor <= 1) return { samples, sampleRate }
  const reduced = new Int16Array(Math.floor(samples.length / factor))
  for (let index = 0; index < reduced.length; index++) {
    let sum = 0
    for (let at = index * factor; at < (index + 1) * factor; at++) sum += samples[at]!
    reduced[index] = Math.round(sum / factor)
  }
  return { samples: reduced, sampleRate: Math.round(sampleRate / factor) }
}
