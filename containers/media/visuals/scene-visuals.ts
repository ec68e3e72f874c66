/** Makes the pictures of scenes: their stills, and the clips in which these move or a person speaks. What is kept is not made again. */
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getObject } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import {
  motionOf,
  portraitUrlOf,
  smallSize,
  stillOf,
  waitsForClip,
} from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ugc } from '../../../lib/domain/videos/kind.ts'
import { PortraitRefused } from '../../../lib/providers/avatars/index.ts'
import { theAnimator } from '../../../lib/providers/choose/animator.ts'
import { theAvatars } from '../../../lib/providers/choose/avatars.ts'
import { theImages } from '../../../lib/providers/choose/images.ts'
import { ProviderBusy } from '../../../lib/providers/failures.ts'
import type { Clip } from '../../../lib/providers/footage/index.ts'
import { type OrderPlace, StillMaking } from '../../../lib/providers/vendor-orders.ts'
import { parseWav, type Sound, soundBetween } from '../../../lib/render/sound/wav.ts'
import { keepOnce, type Owner } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { ordersOf } from '../../../lib/use-cases/generation/order-log.ts'
import { madeWell } from '../../../lib/use-cases/generation/quality-gate.ts'
import { inParallel } from '../ffmpeg-context.ts'
import { patiently, pause } from '../retry-while-busy.ts'
import { lookAt } from './check-picture.ts'
import { keepPortrait } from './store-portrait.ts'
import { inTurns, type Meanwhile } from './task-queue.ts'

/** Vendors take so many wishes of one account at a time without complaint, and most of a wish is waiting. */
const wishesAtOnceMin = 3
/** Of the quarter of an hour that the shorter one of the tasks has. */
const waitMs = 10 * 60_000

/** For whom pictures are made, and where. */
export interface Studio {
  owner: Owner
  video: Video
  runId: string
  /** For scratch files. */
  directory: string
  signal: AbortSignal
}

/** The scenes with a still for each that has none; where a person speaks them, it is the picture of that person. */
export async function withStills(studio: Studio, scenes: readonly StoredScene[]): Promise<StoredScene[]> {
  const { owner, video, runId, signal } = studio
  const portraitUrl = video.subType === ugc ? portraitUrlOf(video.brief) : null
  if (portraitUrl !== null) {
    const portraitKey = await keepPortrait(owner, runId, portraitUrl, signal).catch(toldPresenter)
    return scenes.map((scene) => ({ ...scene, imageKey: scene.imageKey ?? portraitKey }))
  }
  const images = await theImages()
  const wishes = new Map<string, ReturnType<typeof stillOf>>()
  const drawn = scenes.map((scene) => {
    if (scene.imageKey || !scene.imagePrompt.trim()) return scene
    const wish = stillOf(video, scene)
    const imageKey = artefactKey(owner, 'visuals', [images.id, wish], 'png')
    wishes.set(imageKey, wish)
    return { ...scene, imageKey }
  })
  const tasks = [...wishes].map(([key, wish]) => async () => {
    await keepOnce(owner, key, 'image/png', () =>
      seenWell(studio, key, (take) => images.draw(take === 1 ? wish : { ...wish, take: String(take) }, signal)),
    )
  })
  await inParallel(tasks, Math.max(wishesAtOnceMin, availableParallelism()))
  return drawn
}

/** The scenes with a clip for each that waits for one: all are ordered before any is waited for. `onMade` hears of each. */
export async function withMotion(
  studio: Studio,
  scenes: readonly StoredScene[],
  soundtrack: Soundtrack,
  onMade: () => Promise<void> = async () => {},
): Promise<StoredScene[]> {
  const { owner, video, signal } = studio
  const plan = video.subType === ugc ? await speaking(studio, scenes, soundtrack) : await moving(studio, soundtrack)
  const planned = scenes.map((scene, index) => {
    if (!waitsForClip(video, scene)) return { scene }
    const { shown, ...clip } = plan(scene, index)
    const videoKey = artefactKey(owner, 'visuals', clip.names, 'mp4')
    return { scene: { ...scene, ...shown, videoKey }, clip: { ...clip, videoKey } }
  })
  // Scenes that look alike share a clip.
  const clips = Map.groupBy(
    planned.flatMap(({ clip }) => clip ?? []),
    ({ videoKey }) => videoKey,
  )
  const tasks = [...clips.values()].map((alike) => async (meanwhile: Meanwhile) => {
    signal.throwIfAborted()
    await keepClip(studio, alike[0]!, meanwhile)
    for (const _ of alike) await onMade()
  })
  await inTurns(tasks, Math.max(wishesAtOnceMin, availableParallelism()), isBusy)
  return planned.map(({ scene }) => scene)
}

/** Accounts have so many orders at a time with some vendors: the next one is taken when one of ours is done. */
const isBusy = (failure: unknown) => failure instanceof ProviderBusy && !(failure instanceof StillMaking)

/** A clip before it is made. */
interface PlannedClip {
  /** What it is made of, and by whom. */
  names: unknown[]
  make: (place: OrderPlace, take: number) => Promise<Clip>
}

type Plan = (
  scene: StoredScene,
  index: number,
) => PlannedClip & { shown: Pick<StoredScene, 'imageKey' | 'isCameraMove'> }

/** Lets the still of a scene move as its prompt says. */
async function moving(studio: Studio, { places }: Soundtrack): Promise<Plan> {
  const animator = await theAnimator()
  const isCameraMove = animator.movesCameraOnly === true
  const size = isCameraMove ? smallSize(studio.video) : {}
  return ({ imageKey, ...scene }, index) => {
    const wish = { ...motionOf(studio.video, scene, places[index]!), ...size }
    const make: PlannedClip['make'] = async (place, take) => {
      const seed = take === 1 ? wish.seed : `${wish.seed}/${take}`
      return animator.animate({ ...wish, seed, still: await getObject(imageKey!) }, place)
    }
    return { names: [animator.id, imageKey, wish], make, shown: { imageKey, isCameraMove } }
  }
}

/** Lets a person speak what is heard in a scene. A scene that was added later is spoken by the person of the others. */
async function speaking(
  studio: Studio,
  scenes: readonly StoredScene[],
  { audioKey, places }: Soundtrack,
): Promise<Plan> {
  const avatars = await theAvatars()
  const track = parseWav(await getObject(audioKey))
  const person = scenes.find(({ imageKey }) => imageKey)?.imageKey
  return ({ imageKey }, index) => {
    const portraitKey = imageKey ?? person
    if (!portraitKey) throw new JobFailure('visuals-failed', 'There is no picture of a person who could speak.')
    const { startMs, endMs } = places[index]!
    const voice = soundBetween(track, startMs, endMs)
    const wish = { durationMs: endMs - startMs, ...smallSize(studio.video) }
    const make: PlannedClip['make'] = async (place) =>
      avatars.speak({ ...wish, voice, portrait: await getObject(portraitKey) }, place).catch(toldRefusal)
    const shown = { imageKey: portraitKey, isCameraMove: false }
    return { names: [avatars.id, portraitKey, hashOf(voice), wish], make, shown }
  }
}

function toldRefusal(error: unknown): never {
  throw error instanceof PortraitRefused ? new JobFailure('visuals-failed', `The portrait ${error.message}.`) : error
}

const hashOf = ({ samples, sampleRate }: Sound) =>
  createHash('sha256')
    .update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    .update(`${sampleRate}`)
    .digest('hex')

function keepClip(studio: Studio, { names, make }: PlannedClip, meanwhile: Meanwhile): Promise<void> {
  const { owner, signal } = studio
  // Another take is another order.
  const keyOf = (take: number) => artefactKey(owner, 'visuals', take === 1 ? names : [...names, take], 'mp4')
  const place = { orders: ordersOf(owner), signal, waitMs, meanwhile }
  return keepOnce(owner, keyOf(1), 'video/mp4', () =>
    seenWell(
      studio,
      keyOf(1),
      (take, directory) => make({ ...place, directory, key: keyOf(take) }, take),
      (ms) => meanwhile(() => pause(ms, signal)),
    ),
  )
}

/** What was made, once there is something to see on it. */
async function seenWell(
  { owner, directory, signal }: Studio,
  key: string,
  make: (take: number, scratch: string) => Promise<{ bytes: Uint8Array }>,
  wait = pause,
): Promise<Uint8Array> {
  const scratch = await mkdtemp(join(directory, 'scene-'))
  const { made } = await madeWell(
    'visuals-failed',
    { owner, key },
    (take) => patiently(() => make(take, scratch), signal, wait),
    ({ bytes }) => lookAt(bytes, scratch),
  )
  return made.bytes
}

function toldPresenter(error: unknown): never {
  const reason = error instanceof Refusal ? error.extras.details?.[0]?.message : undefined
  throw reason === undefined ? error : new JobFailure('visuals-failed', `The picture of the presenter ${reason}.`)
}
