/** Makes the short preview clip of every built-in voice, `assets/voices/<voiceId>.m4a`. The same voices always give the same bytes. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { voices } from '../lib/domain/voice.ts'
import { runFfmpeg } from '../lib/ffmpeg/run.ts'
import { builtInNarrator } from '../lib/providers/narrator/built-in.ts'

const greetings: Record<string, (name: string) => string> = {
  en: (name) => `Hi, I'm ${name}. Let me tell your story.`,
  es: (name) => `Hola, soy ${name}. Dame una idea y contaré tu historia.`,
  fr: (name) => `Bonjour, je suis ${name}. Donnez-moi une idée, je la raconterai.`,
  de: (name) => `Hallo, ich bin ${name}. Gib mir eine Idee, und ich erzähle deine Geschichte.`,
  it: (name) => `Ciao, sono ${name}. Dammi un'idea e racconterò la tua storia.`,
  pt: (name) => `Olá, eu sou ${name}. Me dê uma ideia e eu conto a sua história.`,
  nl: (name) => `Hallo, ik ben ${name}. Geef me een idee en ik vertel je verhaal.`,
  pl: (name) => `Cześć, tu ${name}. Podaj mi pomysł, a opowiem twoją historię.`,
  hi: () => 'नमस्ते। मुझे एक विचार दीजिए, और आपकी कहानी सुनिए।',
  ko: () => '안녕하세요. 아이디어를 주시면 이야기로 들려드릴게요.',
  zh: () => '你好。给我一个想法，我来讲你的故事。',
}

const target = new URL('../assets/voices/', import.meta.url).pathname
const directory = await mkdtemp(join(tmpdir(), 'voice-previews-'))
await mkdir(target, { recursive: true })
for (const voice of voices) {
  const { wav, durationMs } = await builtInNarrator.narrate(greetings[voice.language]!(voice.name), voice)
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
  await writeFile(join(target, `${voice.id}.m4a`), preview)
  console.log(`${voice.id}  ${(durationMs / 1000).toFixed(1)} s  ${(preview.length / 1024).toFixed(0)} KB`)
}
await rm(directory, { recursive: true })
