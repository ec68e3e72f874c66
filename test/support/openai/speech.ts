/**
 * Speech as each server makes it: which formats it knows, and what it writes into headers. The sound is real: flite
 * speaks, or tones where a test needs many words. Sources: platform.openai.com/docs/api-reference/audio/createSpeech,
 * github.com/remsky/Kokoro-FastAPI, speaches.ai/usage/text-to-speech, openrouter.ai/docs (read November 2026)
 */
import * as v from 'valibot'
import type { TimedWord } from '../../../lib/domain/core/timeline-item.ts'
import { builtInVoices, findVoice } from '../../../lib/domain/videos/voices.ts'
import { builtInNarrator } from '../../../lib/providers/narrator/built-in.ts'
import { resample } from '../../../lib/render/sound/resample.ts'
import { encodeWav, type PcmSound, parseWav } from '../../../lib/render/sound/wav.ts'
import { VendorRefusal, type VendorResponse } from '../fake-vendors/fake-vendor.ts'
import { pcmBytes, silentMp3, synthesizeTones } from '../fake-vendors/tones.ts'
import { type OpenAiOperation, openAiError } from './stand-in.ts'

export type SpeechServer = 'openai' | 'kokoro' | 'speaches' | 'openrouter' | 'vllm' | 'localai' | 'mp3-only'

/** What was spoken, for the transcription of the same stand-in. */
export interface Utterance {
  text: string
  sound: PcmSound
  words: TimedWord[]
}

type Speaker = (text: string) => Promise<Utterance>

const sampleRate = 24_000

/** Speaks each text once: the sound depends on nothing else, and speech synthesis starts a process. */
const memoised = (speak: Speaker): Speaker => {
  const utterances = new Map<string, Promise<Utterance>>()
  return (text) => {
    const utterance = utterances.get(text) ?? speak(text)
    utterances.set(text, utterance)
    return utterance
  }
}

/** A person's voice, as far as flite is one, at the rate of Kokoro and OpenAI. */
export const fliteSpeaker: Speaker = memoised(async (text) => {
  const { wav, words } = await builtInNarrator.narrate(text, findVoice(builtInVoices, 'en-clara')!)
  const { samples, sampleRate: rate } = parseWav(wav)
  const sound = Int16Array.from(resample(Float32Array.from(samples), rate, sampleRate), (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample))),
  )
  return { text, words, sound: { samples: sound, sampleRate } }
})

/** A tone for each word: when each is heard is known to the sample. */
export const toneSpeaker: Speaker = async (text) => {
  const { samples, tones } = synthesizeTones(text, sampleRate)
  return {
    text,
    words: tones.map(({ text, startMs, endMs }) => ({ text, startMs, endMs })),
    sound: { samples, sampleRate },
  }
}

const request = v.object({
  model: v.string(),
  input: v.pipe(v.string(), v.minLength(1), v.maxLength(4_096)),
  voice: v.string(),
  response_format: v.optional(v.picklist(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']), 'mp3'),
})
const documented = ['model', 'input', 'voice', 'response_format', 'speed', 'instructions', 'stream_format']

export const kokoroVoices = [
  'af_bella',
  'af_heart',
  'am_adam',
  'bf_emma',
  'ef_dora',
  'jf_alpha',
  'zm_yunjian',
  'pf_dora',
]

export interface SpeechOptions {
  server: SpeechServer
  speak?: Speaker
  /** Receives every utterance. */
  spoken?: Utterance[]
}

export const speechOperations = ({ server, speak = fliteSpeaker, spoken = [] }: SpeechOptions): OpenAiOperation[] => [
  {
    path: '/audio/speech',
    async answer({ body }) {
      const given = JSON.parse(body.toString('utf8'))
      const unknown = Object.keys(given).find((name) => !documented.includes(name))
      if (unknown) throw openAiError('openai', 400, `Unknown parameter: '${unknown}'.`, 'unknown_parameter')
      const { input, response_format, voice } = v.parse(request, given)
      if (voice === 'gone') throw voiceMissing(server, voice)
      if (response_format === 'mp3' || server === 'mp3-only')
        return { headers: { 'content-type': 'audio/mpeg' }, body: silentMp3() }
      if (server === 'openrouter' && response_format === 'wav')
        throw openAiError('openrouter', 400, "response_format must be one of 'mp3', 'pcm'")
      const utterance = await speak(input)
      spoken.push(utterance)
      return soundAs(server, response_format, utterance.sound)
    },
  },
  ...(server === 'kokoro'
    ? [{ method: 'GET' as const, path: '/audio/voices', answer: () => ({ body: { voices: kokoroVoices } }) }]
    : []),
  ...(server === 'speaches'
    ? [{ method: 'GET' as const, path: '/models', answer: () => ({ body: speachesModels }) }]
    : []),
]

const speachesModels = {
  object: 'list',
  data: [
    { id: 'Systran/faster-whisper-small', object: 'model', task: 'automatic-speech-recognition' },
    {
      id: 'speaches-ai/piper-de',
      object: 'model',
      task: 'text-to-speech',
      voices: [
        { name: 'thorsten', language: 'de-DE', gender: 'male' },
        { name: 'kerstin', language: 'de', gender: null },
      ],
    },
  ],
}

/** Kokoro-FastAPI nests an object, the others write OpenAI's. */
const voiceMissing = (server: SpeechServer, voice: string) =>
  server === 'kokoro'
    ? new VendorRefusal(400, { detail: { error: 'validation_error', message: `Voice ${voice} not found` } })
    : openAiError('openai', 400, `Invalid voice: ${voice}`)

function soundAs(server: SpeechServer, format: string, sound: PcmSound): VendorResponse {
  if (format === 'pcm' || server === 'speaches') {
    const type =
      server === 'speaches' ? `audio/L16; rate=${sound.sampleRate}; channels=1` : 'audio/pcm;rate=24000;channels=1'
    return { headers: { 'content-type': type }, body: pcmBytes(sound.samples) }
  }
  if (server === 'localai') return { headers: { 'content-type': 'audio/mpeg' }, body: stereoFloatWav(sound) }
  const wav = Buffer.from(encodeWav(sound))
  // Both stream, and do not know the length when they write the header.
  if (server === 'openai' || server === 'kokoro') {
    wav.writeUInt32LE(0xffffffff, 4)
    wav.writeUInt32LE(0xffffffff, 40)
  }
  return { headers: { 'content-type': 'audio/wav' }, body: wav }
}

/** 32-bit floats in two channels, with a chunk of metadata before the sound. */
export function stereoFloatWav({ samples, sampleRate }: PcmSound): Buffer {
  const data = Buffer.alloc(samples.length * 8)
  samples.forEach((sample, index) => {
    data.writeFloatLE(sample / 32_767, 8 * index)
    data.writeFloatLE(sample / 32_767, 8 * index + 4)
  })
  const head = Buffer.alloc(58)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(50 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(3, 20)
  head.writeUInt16LE(2, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(sampleRate * 8, 28)
  head.writeUInt16LE(8, 32)
  head.writeUInt16LE(32, 34)
  // Five bytes and one of padding.
  head.write('LIST', 36, 'latin1')
  head.writeUInt32LE(5, 40)
  head.write('data', 50, 'latin1')
  head.writeUInt32LE(data.length, 54)
  return Buffer.concat([head, data])
}
