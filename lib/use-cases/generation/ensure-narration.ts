/**
 * Ensures that the narration of a text, or of all scenes of an ai video on one soundtrack, is stored; nothing is
 * synthesised twice. Called by the narration steps of the generate and render pipelines.
 */
import { getJson, getObject, hasObject } from '../../aws/media-bucket.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { hasSpeech } from '../../domain/core/text.ts'
import type { NarrationFacts } from '../../domain/generation/narration.ts'
import {
  narrationFactsKey,
  narrationKey,
  narrationPartKey,
  narrationSoundKey,
  narratorIdOf,
  narratorIds,
  otherSoundKey,
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
import type { StorageOwner } from '../../store/storage-usage.ts'
import { isStored, storeArtefact, storeFirst, storeFirstJson, storeJson } from '../artefacts/store-artefact.ts'
import { withQualityGate } from './quality-gate.ts'

/**
 * Stores the narration of a text and its facts, and returns the key of the facts. Copies it where `source`, the video
 * that this one was made from, has it: later this video may not use the source's objects any more.
 */
export async function ensureNarration(
  owner: StorageOwner,
  text: string,
  voice: Voice,
  source: ArtefactOwner = owner,
): Promise<string> {
  const key = narrationKey(owner, text, voice.id)
  // The facts are written after the sound: where they exist, the sound exists.
  if (await isStored(owner, key)) return key
  if (await copyFromSource(owner, key, narrationKey(source, text, voice.id))) return key
  const narrator = await chooseNarrator(voice)
  const { result, checks } = await withQualityGate(
    'voice-failed',
    { owner, key },
    (take) => narrator.narrate(text, voice, partStore(owner, voice, take)),
    ({ wav, words }) => narrationChecks(text, words, analyseSound(parseWav(wav))),
  )
  await storeNarration(owner, key, result, checks)
  return key
}

async function copyFromSource(owner: StorageOwner, key: string, sourceKey: string): Promise<boolean> {
  if (sourceKey === key || !(await hasObject(sourceKey))) return false
  const facts = await getJson<NarrationFacts>(sourceKey)
  await storeNarration(owner, key, { ...facts, wav: await getObject(facts.audioKey) }, facts.checks ?? [])
  return true
}

/** Stores each part of a long text as soon as it is synthesised, so that a retried task repeats at most one order. */
const partStore =
  (owner: StorageOwner, { id }: Voice, take: number): StoreChunk =>
  async (part, speak) => {
    const key = narrationPartKey(owner, [`${take}`, ...part], id)
    if (!(await isStored(owner, key))) await storeNarration(owner, key, await speak(), [])
    const { audioKey, durationMs, words } = await getJson<NarrationFacts>(key)
    return { wav: await getObject(audioKey), durationMs, words }
  }

/** Of two workers that narrate the same text, the facts of the one that is first stay, and name the sound that they describe. */
async function storeNarration(
  owner: StorageOwner,
  key: string,
  { wav, durationMs, words }: Narration,
  checks: QualityCheck[],
): Promise<void> {
  const isFirst = await storeFirst(owner, narrationSoundKey(key), wav, 'audio/wav')
  const audioKey = isFirst ? narrationSoundKey(key) : otherSoundKey(key, wav)
  if (!isFirst) await storeArtefact(owner, audioKey, wav, 'audio/wav')
  await storeFirstJson(owner, key, { audioKey, durationMs, words, checks } satisfies NarrationFacts)
}

/** The narration of a scene; undefined where it is silent. */
type NarratedScene = NarrationFacts | undefined

export const narrationDurationsMs = (narrated: readonly NarratedScene[]) =>
  narrated.map((narration) => narration?.durationMs ?? 0)

/** Narrates the scenes, two at a time: a built-in voice takes a core, and the rate limits of all vendors allow it. */
export async function narrateScenes(
  owner: StorageOwner,
  scenes: readonly StoredScene[],
  voice: Voice,
  source: ArtefactOwner = owner,
): Promise<NarratedScene[]> {
  const voices = await loadVoices()
  const narrate = async (scene: StoredScene): Promise<NarratedScene> => {
    if (!hasSpeech(scene.narration)) return undefined
    const key = await ensureNarration(owner, scene.narration, sceneVoice(scene, voice, voices), source)
    return getJson<NarrationFacts>(key)
  }
  const narrated: NarratedScene[] = []
  while (narrated.length < scenes.length) {
    const [first, second] = scenes.slice(narrated.length)
    // Equal texts are synthesised once: the second one then finds it.
    const pair = second && second.narration !== first!.narration ? [first!, second] : [first!]
    narrated.push(...(await Promise.all(pair.map(narrate))))
  }
  return narrated
}

/** How many narrations of scenes would have to be bought from a vendor. */
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
  const keyPairs = wanted.map(({ text, voiceId }) => [owner, source].map((of) => narrationKey(of, text, voiceId)))
  const distinct = new Map(keyPairs.map((keys) => [keys[0], keys]))
  const areStored = (keys: string[]) => Promise.all(keys.map((key) => hasObject(key)))
  const stored = await Promise.all([...distinct.values()].map(areStored))
  return stored.filter((found) => !found.includes(true)).length
}

/** Mixes the narrations of the scenes into one track and stores it. */
export async function storeSoundtrack(
  owner: StorageOwner,
  scenes: readonly StoredScene[],
  narrated: readonly NarratedScene[],
  voice: Voice,
): Promise<Soundtrack> {
  const places = sceneSpans(scenes, narrationDurationsMs(narrated))
  const durationMs = places.at(-1)?.endMs ?? 0
  const placed = narrated.flatMap((narration, index) =>
    narration ? [{ ...narration, startMs: places[index]!.startMs }] : [],
  )
  const words = placed.flatMap(({ words, startMs: fromMs }) =>
    words.map(({ text, startMs, endMs }) => ({ text, startMs: startMs + fromMs, endMs: endMs + fromMs })),
  )
  const checks = worstChecks(placed.flatMap(({ checks = [] }) => checks))
  const soundtrack: Soundtrack = { audioKey: soundtrackKey(owner, scenes, voice.id), durationMs, words, checks, places }
  const factsKey = narrationFactsKey(soundtrack.audioKey)
  if (await hasObject(factsKey)) return soundtrack
  const sounds = await Promise.all(
    placed.map(async ({ audioKey, startMs }) => ({ wav: await getObject(audioKey), startMs })),
  )
  await storeArtefact(owner, soundtrack.audioKey, mixNarrationTrack(sounds, durationMs), 'audio/wav')
  await storeJson(owner, factsKey, soundtrack)
  return soundtrack
}
