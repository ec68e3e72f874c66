/** Speaks texts and keeps what was spoken: by itself, or the scenes of an ai video on one track. Nothing is spoken twice. */
import { getJson, getObject, hasObject } from '../../aws/media-bucket.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { hasSpeech } from '../../domain/core/text.ts'
import type { NarrationFacts } from '../../domain/generation/narration.ts'
import {
  narrationFactsKey,
  narrationKey,
  narrationPartKey,
  narratorIdOf,
  narratorIds,
} from '../../domain/generation/narration.ts'
import { narrationChecks } from '../../domain/generation/quality/checks.ts'
import { sceneVoice } from '../../domain/generation/scenes/scene-script.ts'
import type { StoredScene } from '../../domain/generation/scenes/scenes.ts'
import { sceneSpans } from '../../domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../domain/generation/scenes/soundtrack.ts'
import { soundtrackKey } from '../../domain/generation/scenes/soundtrack.ts'
import { type QualityCheck, worstChecks } from '../../domain/records/quality.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { chooseNarrator } from '../../providers/choose/narrator.ts'
import { loadVoices } from '../../providers/choose/voices.ts'
import type { Narration, StoreChunk } from '../../providers/narrator/index.ts'
import { mixNarrationTrack } from '../../render/sound/narration-track.ts'
import { analyseSound } from '../../render/sound/sound-analysis.ts'
import { parseWav } from '../../render/sound/wav.ts'
import type { StorageOwner } from '../artefacts/store-artefact.ts'
import { storeArtefact, storeJson } from '../artefacts/store-artefact.ts'
import { withQualityGate } from './quality-gate.ts'

/**
 * Keeps the sound of a text and its facts; answers where the facts are. What the video was made from may have it already (`source`):
 * then it is taken over, since the video may stop to show the source's objects after this.
 */
export async function ensureNarration(
  owner: StorageOwner,
  text: string,
  voice: Voice,
  source: ArtefactOwner = owner,
): Promise<string> {
  const audioKey = narrationKey(owner, text, voice.id)
  const key = narrationFactsKey(audioKey)
  // The facts are written after the sound: where they are, the sound is.
  if (await hasObject(key)) return key
  if (await copyFromSource(owner, audioKey, narrationKey(source, text, voice.id))) return key
  const narrator = await chooseNarrator(voice)
  const { made, checks } = await withQualityGate(
    'voice-failed',
    { owner, key },
    (take) => narrator.narrate(text, voice, partStore(owner, voice, take)),
    ({ wav, words }) => narrationChecks(text, words, analyseSound(parseWav(wav))),
  )
  await storeNarration(owner, audioKey, made, checks)
  return key
}

async function copyFromSource(owner: StorageOwner, audioKey: string, sourceKey: string): Promise<boolean> {
  if (sourceKey === audioKey || !(await hasObject(narrationFactsKey(sourceKey)))) return false
  const [wav, facts] = await Promise.all([getObject(sourceKey), getJson<NarrationFacts>(narrationFactsKey(sourceKey))])
  await storeNarration(owner, audioKey, { ...facts, wav }, facts.checks ?? [])
  return true
}

/** Each part of a long text is kept as soon as it was spoken: a task that is ended between two orders repeats one of them. */
const partStore =
  (owner: StorageOwner, { id }: Voice, take: number): StoreChunk =>
  async (part, speak) => {
    const audioKey = narrationPartKey(owner, [`${take}`, ...part], id)
    const factsKey = narrationFactsKey(audioKey)
    if (!(await hasObject(factsKey))) await storeNarration(owner, audioKey, await speak(), [])
    const { durationMs, words } = await getJson<NarrationFacts>(factsKey)
    return { wav: await getObject(audioKey), durationMs, words }
  }

async function storeNarration(
  owner: StorageOwner,
  audioKey: string,
  { wav, durationMs, words }: Narration,
  checks: QualityCheck[],
): Promise<void> {
  await storeArtefact(owner, audioKey, wav, 'audio/wav')
  await storeJson(owner, narrationFactsKey(audioKey), { audioKey, durationMs, words, checks } satisfies NarrationFacts)
}

/** What is heard in a scene; undefined where it is silent. */
type NarratedScene = NarrationFacts | undefined

export const narrationDurationsMs = (spoken: readonly NarratedScene[]) => spoken.map((sound) => sound?.durationMs ?? 0)

/** Speaks the scenes that have no sound yet, two at a time: a built-in voice takes a core, and vendors let everybody ask that often. */
export async function narrateScenes(
  owner: StorageOwner,
  scenes: readonly StoredScene[],
  voice: Voice,
  source: ArtefactOwner = owner,
): Promise<NarratedScene[]> {
  const voices = await loadVoices()
  const speak = async (scene: StoredScene): Promise<NarratedScene> => {
    if (!hasSpeech(scene.narration)) return undefined
    const key = await ensureNarration(owner, scene.narration, sceneVoice(scene, voice, voices), source)
    return getJson<NarrationFacts>(key)
  }
  const spoken: NarratedScene[] = []
  while (spoken.length < scenes.length) {
    const [first, second] = scenes.slice(spoken.length)
    // What both say is spoken once: the second one will find it.
    const pair = second && second.narration !== first!.narration ? [first!, second] : [first!]
    spoken.push(...(await Promise.all(pair.map(speak))))
  }
  return spoken
}

/** How many of the sounds of scenes a vendor would have to be paid for. */
export async function countNarrationsToBuy(
  owner: StorageOwner,
  scenes: readonly StoredScene[],
  voice: Voice,
  source: ArtefactOwner,
): Promise<number> {
  const voices = await loadVoices()
  const wanted = scenes
    .filter(({ narration }) => hasSpeech(narration))
    .map((scene) => ({ text: scene.narration, voiceId: sceneVoice(scene, voice, voices).id }))
    .filter(({ voiceId }) => narratorIdOf(voiceId) !== narratorIds.builtIn)
  const placesOfOne = wanted.map(({ text, voiceId }) => [owner, source].map((of) => narrationKey(of, text, voiceId)))
  const once = new Map(placesOfOne.map((places) => [places[0], places]))
  const isThere = (places: string[]) => Promise.all(places.map((key) => hasObject(narrationFactsKey(key))))
  const kept = await Promise.all([...once.values()].map(isThere))
  return kept.filter((places) => !places.includes(true)).length
}

/** Puts the sounds of the scenes on one track, and keeps it. */
export async function storeSoundtrack(
  owner: StorageOwner,
  scenes: readonly StoredScene[],
  spoken: readonly NarratedScene[],
  voice: Voice,
): Promise<Soundtrack> {
  const places = sceneSpans(scenes, narrationDurationsMs(spoken))
  const durationMs = places.at(-1)?.endMs ?? 0
  const heard = spoken.flatMap((sound, index) => (sound ? [{ ...sound, startMs: places[index]!.startMs }] : []))
  const words = heard.flatMap(({ words, startMs: fromMs }) =>
    words.map(({ text, startMs, endMs }) => ({ text, startMs: startMs + fromMs, endMs: endMs + fromMs })),
  )
  const checks = worstChecks(heard.flatMap(({ checks = [] }) => checks))
  const soundtrack: Soundtrack = { audioKey: soundtrackKey(owner, scenes, voice.id), durationMs, words, checks, places }
  const factsKey = narrationFactsKey(soundtrack.audioKey)
  if (await hasObject(factsKey)) return soundtrack
  const sounds = await Promise.all(
    heard.map(async ({ audioKey, startMs }) => ({ wav: await getObject(audioKey), startMs })),
  )
  await storeArtefact(owner, soundtrack.audioKey, mixNarrationTrack(sounds, durationMs), 'audio/wav')
  await storeJson(owner, factsKey, soundtrack)
  return soundtrack
}
