/** Makes the pictures of scenes: their stills, and the clips in which these move or a person speaks. What is kept is not made again. */
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parallelLimit } from '../../../lib/async.ts'
import { getObject } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure, ProviderBusy } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import {
  downscaledSize,
  needsClip,
  portraitUrlOf,
  sceneClipRequest,
  sceneStillRequest,
} from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ugcSubType } from '../../../lib/domain/videos/kind.ts'
import { PortraitRefused } from '../../../lib/providers/avatars/index.ts'
import { chooseAnimator } from '../../../lib/providers/choose/animator.ts'
import { chooseAvatars } from '../../../lib/providers/choose/avatars.ts'
import { chooseImages } from '../../../lib/providers/choose/images.ts'
import type { Clip } from '../../../lib/providers/footage/index.ts'
import { type OrderContext, OrderPending } from '../../../lib/providers/vendor-orders.ts'
import { type PcmSound, parseWav, sliceSound } from '../../../lib/render/sound/wav.ts'
import { type StorageOwner, storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { orderLogFor } from '../../../lib/use-cases/generation/order-log.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { retryWhileBusy, scaledDelay } from '../retry-while-busy.ts'
import { checkPicture } from './check-picture.ts'
import { storePortrait } from './store-portrait.ts'
import { type ReleaseWhile, runTaskQueue } from './task-queue.ts'

/** Vendors take so many wishes of one account at a time without complaint, and most of a wish is waiting. */
const concurrencyMin = 3
/** Of the quarter of an hour that the shorter one of the tasks has. */
const waitMs = 10 * 60_000

/** For whom pictures are made, and where. */
export interface SceneContext {
  owner: StorageOwner
  video: Video
  runId: string
  /** For scratch files. */
  directory: string
  signal: AbortSignal
}

/** The scenes with a still for each that has none; where a person speaks them, it is the picture of that person. */
export async function addStills(studio: SceneContext, scenes: readonly StoredScene[]): Promise<StoredScene[]> {
  const { owner, video, runId, signal } = studio
  const portraitUrl = video.subType === ugcSubType ? portraitUrlOf(video.brief) : null
  if (portraitUrl !== null) {
    const portraitKey = await storePortrait(owner, runId, portraitUrl, signal).catch(rethrowPresenterRefusal)
    return scenes.map((scene) => ({ ...scene, imageKey: scene.imageKey ?? portraitKey }))
  }
  const images = await chooseImages()
  const wishes = new Map<string, ReturnType<typeof sceneStillRequest>>()
  const drawn = scenes.map((scene) => {
    if (scene.imageKey || !scene.imagePrompt.trim()) return scene
    const wish = sceneStillRequest(video, scene)
    const imageKey = artefactKey(owner, 'visuals', [images.id, wish], 'png')
    wishes.set(imageKey, wish)
    return { ...scene, imageKey }
  })
  const tasks = [...wishes].map(([key, wish]) => async () => {
    await storeOnce(owner, key, 'image/png', () =>
      makeChecked(studio, key, (take) => images.draw(take === 1 ? wish : { ...wish, take: String(take) }, signal)),
    )
  })
  await parallelLimit(tasks, Math.max(concurrencyMin, availableParallelism()))
  return drawn
}

/** The scenes with a clip for each that waits for one: all are ordered before any is waited for. `onMade` hears of each. */
export async function addClips(
  studio: SceneContext,
  scenes: readonly StoredScene[],
  soundtrack: Soundtrack,
  onMade: () => Promise<void> = async () => {},
): Promise<StoredScene[]> {
  const { owner, video, signal } = studio
  const plan =
    video.subType === ugcSubType
      ? await avatarPlanner(studio, scenes, soundtrack)
      : await animationPlanner(studio, soundtrack)
  const planned = scenes.map((scene, index) => {
    if (!needsClip(video, scene)) return { scene }
    const { shown, ...clip } = plan(scene, index)
    const videoKey = artefactKey(owner, 'visuals', clip.names, 'mp4')
    return { scene: { ...scene, ...shown, videoKey }, clip: { ...clip, videoKey } }
  })
  // Scenes that look alike share a clip.
  const clips = Map.groupBy(
    planned.flatMap(({ clip }) => clip ?? []),
    ({ videoKey }) => videoKey,
  )
  const tasks = [...clips.values()].map((alike) => async (meanwhile: ReleaseWhile) => {
    signal.throwIfAborted()
    await storeClip(studio, alike[0]!, meanwhile)
    for (const _ of alike) await onMade()
  })
  await runTaskQueue(tasks, Math.max(concurrencyMin, availableParallelism()), isBusy)
  return planned.map(({ scene }) => scene)
}

/** Accounts have so many orders at a time with some vendors: the next one is taken when one of ours is done. */
const isBusy = (failure: unknown) => failure instanceof ProviderBusy && !(failure instanceof OrderPending)

/** A clip before it is made. */
interface PlannedClip {
  /** What it is made of, and by whom. */
  names: unknown[]
  make: (place: OrderContext, take: number) => Promise<Clip>
}

type ClipPlanner = (
  scene: StoredScene,
  index: number,
) => PlannedClip & { shown: Pick<StoredScene, 'imageKey' | 'isCameraMove'> }

/** Lets the still of a scene move as its prompt says. */
async function animationPlanner(studio: SceneContext, { places }: Soundtrack): Promise<ClipPlanner> {
  const animator = await chooseAnimator()
  const isCameraMove = animator.movesCameraOnly === true
  const size = isCameraMove ? downscaledSize(studio.video) : {}
  return ({ imageKey, ...scene }, index) => {
    const wish = { ...sceneClipRequest(studio.video, scene, places[index]!), ...size }
    const make: PlannedClip['make'] = async (place, take) => {
      const seed = take === 1 ? wish.seed : `${wish.seed}/${take}`
      return animator.animate({ ...wish, seed, still: await getObject(imageKey!) }, place)
    }
    return { names: [animator.id, imageKey, wish], make, shown: { imageKey, isCameraMove } }
  }
}

/** Lets a person speak what is heard in a scene. A scene that was added later is spoken by the person of the others. */
async function avatarPlanner(
  studio: SceneContext,
  scenes: readonly StoredScene[],
  { audioKey, places }: Soundtrack,
): Promise<ClipPlanner> {
  const avatars = await chooseAvatars()
  const track = parseWav(await getObject(audioKey))
  const person = scenes.find(({ imageKey }) => imageKey)?.imageKey
  return ({ imageKey }, index) => {
    const portraitKey = imageKey ?? person
    if (!portraitKey) throw new JobFailure('visuals-failed', 'There is no picture of a person who could speak.')
    const { startMs, endMs } = places[index]!
    const voice = sliceSound(track, startMs, endMs)
    const wish = { durationMs: endMs - startMs, ...downscaledSize(studio.video) }
    const make: PlannedClip['make'] = async (place) =>
      avatars.speak({ ...wish, voice, portrait: await getObject(portraitKey) }, place).catch(rethrowPortraitRefusal)
    const shown = { imageKey: portraitKey, isCameraMove: false }
    return { names: [avatars.id, portraitKey, hashOf(voice), wish], make, shown }
  }
}

function rethrowPortraitRefusal(error: unknown): never {
  throw error instanceof PortraitRefused ? new JobFailure('visuals-failed', `The portrait ${error.message}.`) : error
}

const hashOf = ({ samples, sampleRate }: PcmSound) =>
  createHash('sha256')
    .update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    .update(`${sampleRate}`)
    .digest('hex')

function storeClip(studio: SceneContext, { names, make }: PlannedClip, meanwhile: ReleaseWhile): Promise<void> {
  const { owner, signal } = studio
  // Another take is another order.
  const keyOf = (take: number) => artefactKey(owner, 'visuals', take === 1 ? names : [...names, take], 'mp4')
  const place = { orderLog: orderLogFor(owner), signal, waitMs, releaseWhile: meanwhile }
  return storeOnce(owner, keyOf(1), 'video/mp4', () =>
    makeChecked(
      studio,
      keyOf(1),
      (take, directory) => make({ ...place, directory, key: keyOf(take) }, take),
      (ms) => meanwhile(() => scaledDelay(ms, signal)),
    ),
  )
}

/** What was made, once there is something to see on it. */
async function makeChecked(
  { owner, directory, signal }: SceneContext,
  key: string,
  make: (take: number, scratch: string) => Promise<{ bytes: Uint8Array }>,
  wait = scaledDelay,
): Promise<Uint8Array> {
  const scratch = await mkdtemp(join(directory, 'scene-'))
  const { made } = await withQualityGate(
    'visuals-failed',
    { owner, key },
    (take) => retryWhileBusy(() => make(take, scratch), signal, wait),
    ({ bytes }) => checkPicture(bytes, scratch),
  )
  return made.bytes
}

function rethrowPresenterRefusal(error: unknown): never {
  const reason = error instanceof Refusal ? error.extras.details?.[0]?.message : undefined
  throw reason === undefined ? error : new JobFailure('visuals-failed', `The picture of the presenter ${reason}.`)
}
