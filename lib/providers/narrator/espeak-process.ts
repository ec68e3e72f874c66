/**
 * espeak-ng (GPL-3.0) as a process: a request on stdin, one JSON line and raw 16-bit PCM on stdout. The only file that
 * loads the optional package; it must not import anything of this program.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

interface EngineEvent {
  type: string
  id?: string | number
  text_position: number
  audio_position: number
}
interface Engine {
  set_voice(name: string): number
  set_rate(wordsPerMinute: number): void
  set_pitch(percent: number): void
  set_range(percent: number): void
  synthesize(text: string, onChunk: (samples: Int16Array | null, events: EngineEvent[]) => void): void
}

// For deterministic output: voices with breath seed their noise with the time.
Date.now = () => 0

const request: { lines: string[]; voice: string; rate: number; pitch: number } = JSON.parse(readFileSync(0, 'utf8'))
const location = createRequire(import.meta.url).resolve('@echogarden/espeak-ng-emscripten')
const { default: load }: { default: () => Promise<{ eSpeakNGWorker: new () => Engine }> } = await import(
  pathToFileURL(location).href
)
const engine = new (await load()).eSpeakNGWorker()
if (engine.set_voice(request.voice) !== 0) throw new Error(`espeak-ng does not know the voice ${request.voice}`)
engine.set_rate(request.rate)
engine.set_pitch(request.pitch)
engine.set_range(60)

const audio: Buffer[] = []

/** Speaks one line; its audio is appended to `audio`. */
function speak(line: string) {
  const events: EngineEvent[] = []
  let samples = 0
  engine.synthesize(line, (chunk, batch) => {
    // Copied, since the engine reuses the memory. A truthy return value would end the synthesis.
    if (chunk?.length) audio.push(Buffer.from(Int16Array.from(chunk).buffer))
    samples += chunk?.length ?? 0
    events.push(...batch)
  })
  return {
    samples,
    marks: events.map((event) => ({ kind: kindOf(event), position: event.text_position, atMs: event.audio_position })),
  }
}

const kindOf = ({ type, id }: EngineEvent) =>
  type === 'word' ? 'word' : type === 'phoneme' && id !== '' ? 'sound' : 'silence'

const lines = request.lines.map(speak)
process.stdout.write(`${JSON.stringify({ sampleRate: 22050, lines })}\n`)
process.stdout.write(Buffer.concat(audio))
