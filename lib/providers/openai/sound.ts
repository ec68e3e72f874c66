/**
 * Reads the sound of a speech server, which is untrusted: WAV with any header, or raw PCM. Compressed sound is refused,
 * because functions have no decoder.
 */
import { ProviderRejected } from '../../domain/core/failures.ts'
import type { PcmSound } from '../../render/sound/wav.ts'

/** The rate of OpenAI and Kokoro-FastAPI where the Content-Type names none. */
const defaultRate = 24_000
const ratesMax = { least: 8_000, most: 192_000 }

/** `contentType` decides where the bytes have no signature. Throws `ProviderRejected` for anything but PCM. */
export function decodeSpeech(bytes: Uint8Array, contentType: string, name: string): PcmSound {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (body.toString('latin1', 0, 4) === 'RIFF' && body.toString('latin1', 8, 12) === 'WAVE') return wavOf(body, name)
  const [type = ''] = contentType.toLowerCase().split(';')
  if (isPcm.test(type.trim())) return pcmOf(body, contentType, name)
  throw new ProviderRejected(
    `${name} returned speech as ${type.trim() || 'an unknown format'}, which cannot be read. Use a server or a model that returns WAV or PCM.`,
  )
}

const isPcm = /^(?:audio\/(?:x-)?(?:pcm|l16|raw)|application\/octet-stream)$/

/** Parameters of the media type: `audio/pcm;rate=24000;channels=1`. */
const parameter = (contentType: string, name: string) =>
  Number(new RegExp(`;\\s*${name}\\s*=\\s*"?(\\d+)`, 'i').exec(contentType)?.[1])

function pcmOf(body: Buffer, contentType: string, name: string): PcmSound {
  const sampleRate = parameter(contentType, 'rate') || defaultRate
  const channels = parameter(contentType, 'channels') || 1
  const little = samplesOf(body, channels, 2, (at) => body.readInt16LE(at))
  if (!/l16/i.test(contentType)) return checked({ sampleRate, samples: little }, name)
  // RFC 2586 says big-endian, and most servers send little-endian: speech is smooth in the right order only.
  const big = samplesOf(body, channels, 2, (at) => body.readInt16BE(at))
  return checked({ sampleRate, samples: roughness(big) < roughness(little) ? big : little }, name)
}

const roughness = (samples: Int16Array) => {
  let sum = 0
  for (let at = 1; at < samples.length; at++) sum += Math.abs(samples[at]! - samples[at - 1]!)
  return sum
}

/**
 * Streaming servers write 0, -1 or a wrong length into the header, because the length is unknown when they write it.
 * Then the sound ends with the body.
 */
function wavOf(body: Buffer, name: string): PcmSound {
  let format: WavFormat | undefined
  for (let chunk = 12; chunk + 8 <= body.length; ) {
    const [id, length, start] = [body.toString('latin1', chunk, chunk + 4), body.readUInt32LE(chunk + 4), chunk + 8]
    if (id === 'fmt ' && start + 16 <= body.length) format = formatAt(body, start, length)
    if (id === 'data' && format) {
      const isKnown = length > 0 && start + length <= body.length
      return readWav(isKnown ? body.subarray(start, start + length) : body.subarray(start), format, name)
    }
    // Chunks start at even offsets.
    chunk = start + length + (length % 2)
  }
  throw new ProviderRejected(`${name} returned a WAV file without sound.`)
}

interface WavFormat {
  /** 1: integers, 3: floats. */
  encoding: number
  channels: number
  sampleRate: number
  bits: number
}

const extensible = 0xfffe

function formatAt(body: Buffer, start: number, length: number): WavFormat {
  const encoding = body.readUInt16LE(start)
  return {
    encoding:
      encoding === extensible && length >= 26 && start + 26 <= body.length ? body.readUInt16LE(start + 24) : encoding,
    channels: body.readUInt16LE(start + 2),
    sampleRate: body.readUInt32LE(start + 4),
    bits: body.readUInt16LE(start + 14),
  }
}

function readWav(data: Buffer, { encoding, channels, sampleRate, bits }: WavFormat, name: string): PcmSound {
  const readers: Record<string, (at: number) => number> = {
    '1/16': (at) => data.readInt16LE(at),
    '1/24': (at) => data.readIntLE(at, 3) / 2 ** 8,
    '1/32': (at) => data.readInt32LE(at) / 2 ** 16,
    '3/32': (at) => data.readFloatLE(at) * 32_767,
  }
  const read = readers[`${encoding}/${bits}`]
  if (!read || channels < 1 || channels > 8)
    throw new ProviderRejected(`${name} returned WAV in a format that cannot be read (${encoding}, ${bits} bits).`)
  return checked({ sampleRate, samples: samplesOf(data, channels, bits / 8, read) }, name)
}

/** The mean of the channels. An incomplete last sample is dropped. */
function samplesOf(data: Buffer, channels: number, bytes: number, read: (at: number) => number): Int16Array {
  const samples = new Int16Array(Math.floor(data.length / (bytes * channels)))
  for (let index = 0; index < samples.length; index++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) sum += read((index * channels + channel) * bytes)
    samples[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum / channels)))
  }
  return samples
}

function checked(sound: PcmSound, name: string): PcmSound {
  if (sound.sampleRate < ratesMax.least || sound.sampleRate > ratesMax.most)
    throw new ProviderRejected(`${name} returned speech at ${sound.sampleRate} Hz, which cannot be read.`)
  return sound
}
