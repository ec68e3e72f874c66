/** Writes a short preview of every built-in voice to `assets/voices/<voiceId>.m4a`. The output is deterministic. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInVoices, previewText, voicePreviewKey } from '../lib/domain/videos/voices.ts'
import { runFfmpeg } from '../lib/ffmpeg/run.ts'
import { builtInNarrator } from '../lib/providers/narrator/built-in.ts'

const target = new URL('../assets/', import.meta.url).pathname
const directory = await mkdtemp(join(tmpdir(), 'voice-previews-'))
await mkdir(join(target, 'voices'), { recursive: true })
for (const voice of builtInVoices) {
  const { wav, durationMs } = await builtInNarrator.narrate(previewText(voice), voice)
  await writeFile(join(directory, 'speech.wav'), wav)
  await runFfmpeg({
    arguments: [
      ...['-f', 'wav', '-i', 'speech.wav', '-af', 'loudnorm=I=-16:TP=-1.5', '-ar', '24000', '-ac', '1'],
      ...['-c:a', 'aac', '-b:a', '44k', '-threads', '1', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
      ...['-map_metadata', '-1', '-movflags', '+faststart', '-y', 'preview.m4a'],
    ],
    directory,
    timeoutMs: 30_000,
  })
  const preview = await readFile(join(directory, 'preview.m4a'))
  await writeFile(join(target, voicePreviewKey(voice)), preview)
  console.log(`${voice.id}  ${(durationMs / 1000).toFixed(1)} s  ${(preview.length / 1024).toFixed(0)} KB`)
}
await rm(directory, { recursive: true })
