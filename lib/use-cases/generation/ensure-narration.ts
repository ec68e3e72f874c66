/** Speaks texts and keeps what was spoken: by itself, or the scenes of an ai video on one track. Nothing is spoken twice. */
import { getJson, getObject, hasObject } from '../../aws/media-bucket.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { isSpoken } from '../../domain/core/text.ts'
import type { NarrationFacts } from '../../domain/generation/narration.ts'
import {
  narrationFactsKey,
  narrationKey,
  narrationPartKey,
  narratorIdOf,
  narratorIds,
} from '../../domain/generation/narration.ts'
import { narrationChecks } from '../../domain/generation/quality/checks.ts'
import { voiceOf } from '../../domain/generation/scenes/scene-script.ts'
import type { StoredScene } from '../../domain/generation/scenes/scenes.ts'
import { placesOf } from '../../domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../domain/generation/scenes/soundtrack.ts'
import { soundtrackKey } from '../../domain/generation/scenes/soundtrack.ts'
import { type QualityCheck, worstOf } from '../../domain/records/quality.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { theNarrator } from '../../providers/choose/narrator.ts'
import { theVoices } from '../../providers/choose/voices.ts'
import type { KeepPart, Narration } from '../../providers/narrator/index.ts'
import { soundtrackOf } from '../../render/sound/narration-track.ts'
import { hear } from '../../render/sound/sound-analysis.ts'
import { parseWav } from '../../render/sound/wav.ts'
import type { Owner } from '../artefacts/store-artefact.ts'
import { keepJson, keepObject } from '../artefacts/store-artefact.ts'
import { madeWell } from './quality-gate.ts'

/**
 * Keeps the sound of a text and its facts; answers where the facts are. What the video was made from may have it already (`source`):
 * then it is taken over, since the video may stop to show the source's objects after this.
 */
export async function keepNarration(
  owner: Owner,
  text: string,
  voice: Voice,
  source: ArtefactOwner = owner,
): Promise<string> {
  const audioKey = narrationKey(owner, text, voice.id)
  const key = narrationFactsKey(audioKey)
  // The facts are written after the sound: where they are, the sound is.
  if (await hasObject(key)) return key
  if (await takenOver(owner, audioKey, narrationKey(source, text, voice.id))) return key
  const narrator = await theNarrator(voice)
  const { made, checks } = await madeWell(
    'voice-failed',
    { owner, key },
    (take) => narrator.narrate(text, voice, keepingParts(owner, voice, take)),
    ({ wav, words }) => narrationChecks(text, words, hear(parseWav(wav))),
  )
  await keepSpoken(owner, audioKey, made, checks)
  return key
}

async function takenOver(owner: Owner, audioKey: string, sourceKey: string): Promise<boolean> {
  if (sourceKey === audioKey || !(await hasObject(narrationFactsKey(sourceKey)))) return false
  const [wav, facts] = await Promise.all([getObject(sourceKey), getJson<NarrationFacts>(narrationFactsKey(sourceKey))])
  await keepSpoken(owner, audioKey, { ...facts, wav }, facts.checks ?? [])
  return true
}

/** Each part of a long text is kept as soon as it was spoken: a task that is ended between two orders repeats one of them. */
const keepingParts =
  (owner: Owner, { id }: Voice, take: number): KeepPart =>
  async (part, speak) => {
    const audioKey = narrationPartKey(owner, [`${take}`, ...part], id)
    const factsKey = narrationFactsKey(audioKey)
    if (!(await hasObject(factsKey))) await keepSpoken(owner, audioKey, await speak(), [])
    const { durationMs, words } = await getJson<NarrationFacts>(factsKey)
    return { wav: await getObject(audioKey), durationMs, words }
  }

async function keepSpoken(
  owner: Owner,
  audioKey: string,
  { wav, durationMs, words }: Narration,
  checks: QualityCheck[],
): Promise<void> {
  await keepObject(owner, audioKey, wav, 'audio/wav')
  await keepJson(owner, narrationFactsKey(audioKey), { audioKey, durationMs, words, checks } satisfies NarrationFacts)
}

/** What is heard in a scene; undefined where it is silent. */
type SpokenScene = NarrationFacts | undefined

export const spokenMs = (spoken: readonly SpokenScene[]) => spoken.map((sound) => sound?.durationMs ?? 0)

/** Speaks the scenes that have no sound yet, two at a time: a built-in voice takes a core, and vendors let everybody ask that often. */
export async function speakScenes(
  owner: Owner,
  scenes: readonly StoredScene[],
  voice: Voice,
  source: ArtefactOwner = owner,
): Promise<SpokenScene[]> {
  const voices = await theVoices()
  const speak = async (scene: StoredScene): Promise<SpokenScene> => {
    if (!isSpoken(scene.narration)) return undefined
    const key = await keepNarration(owner, scene.narration, voiceOf(scene, voice, voices), source)
    return getJson<NarrationFacts>(key)
  }
  const spoken: SpokenScene[] = []
  while (spoken.length < scenes.length) {
    const [first, second] = scenes.slice(spoken.length)
    // What both say is spoken once: the second one will find it.
    const pair = second && second.narration !== first!.narration ? [first!, second] : [first!]
    spoken.push(...(await Promise.all(pair.map(speak))))
  }
  return spoken
}

/** How many of the sounds of scenes a vendor would have to be paid for. */
export async function soundsToBuy(
  owner: Owner,
  scenes: readonly StoredScene[],
  voice: Voice,
  source: ArtefactOwner,
): Promise<number> {
  const voices = await theVoices()
  const wanted = scenes
    .filter(({ narration }) => isSpoken(narration))
    .map((scene) => ({ text: scene.narration, voiceId: voiceOf(scene, voice, voices).id }))
    .filter(({ voiceId }) => narratorIdOf(voiceId) !== narratorIds.builtIn)
  const placesOfOne = wanted.map(({ text, voiceId }) => [owner, source].map((of) => narrationKey(of, text, voiceId)))
  const once = new Map(placesOfOne.map((places) => [places[0], places]))
  const isThere = (places: string[]) => Promise.all(places.map((key) => hasObject(narrationFactsKey(key))))
  const kept = await Promise.all([...once.values()].map(isThere))
  return kept.filter((places) => !places.includes(true)).length
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
  const checks = worstOf(heard.flatMap(({ checks = [] }) => checks))
  const soundtrack: Soundtrack = { audioKey: soundtrackKey(owner, scenes, voice.id), durationMs, words, checks, places }
  const factsKey = narrationFactsKey(soundtrack.audioKey)
  if (await hasObject(factsKey)) return soundtrack
  const sounds = await Promise.all(
    heard.map(async ({ audioKey, startMs }) => ({ wav: await getObject(audioKey), startMs })),
  )
  await keepObject(owner, soundtrack.audioKey, soundtrackOf(sounds, durationMs), 'audio/wav')
  await keepJson(owner, factsKey, soundtrack)
  return soundtrack
}
