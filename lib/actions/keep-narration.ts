/** Speaks texts and keeps what was spoken: by itself, or the scenes of an ai video on one track. Nothing is spoken twice. */
import { getJson, getObject, hasObject } from '../aws/media.ts'
import type { NarrationFacts } from '../domain/narration.ts'
import { narrationFactsKey, narrationKey } from '../domain/narration.ts'
import { voiceOf } from '../domain/scene-script.ts'
import type { Soundtrack } from '../domain/soundtrack.ts'
import { isSpoken, soundtrackKey } from '../domain/soundtrack.ts'
import type { StoredScene } from '../domain/timelines/scenes.ts'
import { placesOf } from '../domain/timelines/scenes.ts'
import type { Voice } from '../domain/voice.ts'
import { builtInNarrator } from '../providers/narrator/built-in.ts'
import { soundtrackOf } from '../render/soundtrack.ts'
import type { Owner } from './keep.ts'
import { keepJson, keepObject } from './keep.ts'

/** Keeps the sound of a text and its facts; answers where the facts are. */
export async function keepNarration(owner: Owner, text: string, voice: Voice): Promise<string> {
  const audioKey = narrationKey(owner, text, voice)
  const key = narrationFactsKey(audioKey)
  // The facts are written after the sound: where they are, the sound is.
  if (await hasObject(key)) return key
  const { wav, durationMs, words } = await builtInNarrator.narrate(text, voice)
  await keepObject(owner, audioKey, wav, 'audio/wav')
  await keepJson(owner, key, { audioKey, durationMs, words } satisfies NarrationFacts)
  return key
}

/** What is heard in a scene; undefined where it is silent. */
type SpokenScene = NarrationFacts | undefined

export const spokenMs = (spoken: readonly SpokenScene[]) => spoken.map((sound) => sound?.durationMs ?? 0)

/** Speaks the scenes that have no sound yet, one after the other: each takes all the computing there is. */
export async function speakScenes(owner: Owner, scenes: readonly StoredScene[], voice: Voice): Promise<SpokenScene[]> {
  const spoken: SpokenScene[] = []
  for (const scene of scenes) {
    const { narration } = scene
    const key = isSpoken(narration) ? await keepNarration(owner, narration, voiceOf(scene, voice)) : undefined
    spoken.push(key ? await getJson<NarrationFacts>(key) : undefined)
  }
  return spoken
}

/** Puts the sounds of the scenes on one track, and keeps it. */
export async function keepSoundtrack(
  owner: Owner,
  scenes: readonly StoredScene[],
  spoken: readonly SpokenScene[],
  voice: Voice,
): Promise<Soundtrack> {
  const places = placesOf(scenes, spokenMs(spoken))
  const durationMs = places.at(-1)?.endMs ?? 0
  const heard = spoken.flatMap((sound, index) => (sound ? [{ ...sound, startMs: places[index]!.startMs }] : []))
  const words = heard.flatMap(({ words, startMs: fromMs }) =>
    words.map(({ text, startMs, endMs }) => ({ text, startMs: startMs + fromMs, endMs: endMs + fromMs })),
  )
  const soundtrack: Soundtrack = { audioKey: soundtrackKey(owner, scenes, voice.id), durationMs, words, places }
  const factsKey = narrationFactsKey(soundtrack.audioKey)
  if (await hasObject(factsKey)) return soundtrack
  const sounds = await Promise.all(
    heard.map(async ({ audioKey, startMs }) => ({ wav: await getObject(audioKey), startMs })),
  )
  await keepObject(owner, soundtrack.audioKey, soundtrackOf(sounds, durationMs), 'audio/wav')
  await keepJson(owner, factsKey, soundtrack)
  return soundtrack
}
