/**
 * Generates the media of scenes: stills, and the clips that animate them or let a presenter speak. Stored media is
 * reused.
 */
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parallelLimit } from '../../../lib/async.ts'
import { getObject } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
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
import { chooseSceneImages } from '../../../lib/providers/choose/images.ts'
import type { Clip } from '../../../lib/providers/footage/index.ts'
import { type OrderContext, OrderPending } from '../../../lib/providers/vendor-orders.ts'
import { type PcmSound, parseWav, sliceSound } from '../../../lib/render/sound/wav.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { orderLogFor } from '../../../lib/use-cases/generation/order-log.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'
import { checkPicture } from './check-picture.ts'
import { storePortrait } from './store-portrait.ts'

/** Vendors accept this many concurrent requests of one account, and most of a request is waiting. */
const concurrencyMin = 3

export interface SceneContext {
  owner: StorageOwner
  video: Video
  runId: string
  /** For scratch files. */
  directory: string
  signal: AbortSignal
}

/** Adds a still to each scene that has none. In a ugc video it is the portrait of the presenter. */
export async function addStills(context: SceneContext, scenes: readonly StoredScene[]): Promise<StoredScene[]> {
  const { owner, video, runId, signal } = context
  const portraitUrl = video.subType === ugcSubType ? portraitUrlOf(video.brief) : null
  if (portraitUrl !== null) {
    const portraitKey = await storePortrait(owner, runId, portraitUrl, signal).catch(rethrowPresenterRefusal)
    return scenes.map((scene) => ({ ...scene, imageKey: scene.imageKey ?? portraitKey }))
  }
  const images = await chooseSceneImages()
  const requests = new Map<string, ReturnType<typeof sceneStillRequest>>()
  const withStills = scenes.map((scene) => {
    if (scene.imageKey || !scene.imagePrompt.trim()) return scene
    const request = sceneStillRequest(video, scene)
    const imageKey = artefactKey(owner, 'visuals', [images.id, request], 'png')
    requests.set(imageKey, request)
    return { ...scene, imageKey }
  })
  const tasks = [...requests].map(([key, request]) => async () => {
    await storeOnce(owner, key, 'image/png', () =>
      makeChecked(context, key, (take) =>
        images.draw(take === 1 ? request : { ...request, take: String(take) }, signal),
      ),
    )
  })
  await parallelLimit(tasks, Math.max(concurrencyMin, availableParallelism()))
  return withStills
}

/**
 * Adds a clip to each scene that needs one. `onClip` is called once per scene. Throws `OrderPending` where a vendor has not
 * finished one, after the others were made or ordered.
 */
export async function addClips(
  context: SceneContext,
  scenes: readonly StoredScene[],
  soundtrack: Soundtrack,
  onClip: () => Promise<void> = async () => {},
): Promise<StoredScene[]> {
  const { owner, video, signal } = context
  const plan =
    video.subType === ugcSubType
      ? await avatarPlanner(context, scenes, soundtrack)
      : await animationPlanner(context, soundtrack)
  const planned = scenes.map((scene, index) => {
    if (!needsClip(video, scene)) return { scene }
    const { shown, ...clip } = plan(scene, index)
    const videoKey = artefactKey(owner, 'visuals', clip.names, 'mp4')
    return { scene: { ...scene, ...shown, videoKey }, clip: { ...clip, videoKey } }
  })
  // Equal requests share one clip.
  const clips = Map.groupBy(
    planned.flatMap(({ clip }) => clip ?? []),
    ({ videoKey }) => videoKey,
  )
  const pending: OrderPending[] = []
  const tasks = [...clips.values()].map((equalClips) => async () => {
    signal.throwIfAborted()
    try {
      await storeClip(context, equalClips[0]!)
    } catch (error) {
      if (!(error instanceof OrderPending)) throw error
      pending.push(error)
      return
    }
    for (const _ of equalClips) await onClip()
  })
  await parallelLimit(tasks, Math.max(concurrencyMin, availableParallelism()))
  if (pending[0]) throw pending[0]
  return planned.map(({ scene }) => scene)
}

interface PlannedClip {
  /** The parts of its artefact key: the provider's id, then its inputs. */
  names: unknown[]
  make: (orderContext: OrderContext, take: number) => Promise<Clip>
}

type ClipPlanner = (
  scene: StoredScene,
  index: number,
) => PlannedClip & { shown: Pick<StoredScene, 'imageKey' | 'isCameraMove'> }

/** Animates the still of a scene by its prompt. */
async function animationPlanner(context: SceneContext, { places }: Soundtrack): Promise<ClipPlanner> {
  const animator = await chooseAnimator()
  const isCameraMove = animator.movesCameraOnly === true
  const size = isCameraMove ? downscaledSize(context.video) : {}
  return ({ imageKey, ...scene }, index) => {
    const request = { ...sceneClipRequest(context.video, scene, places[index]!), ...size }
    const make: PlannedClip['make'] = async (orderContext, take) => {
      const seed = take === 1 ? request.seed : `${request.seed}/${take}`
      return animator.animate({ ...request, seed, still: await getObject(imageKey!) }, orderContext)
    }
    return { names: [animator.id, imageKey, request], make, shown: { imageKey, isCameraMove } }
  }
}

/** Lets a presenter speak the narration of a scene. A scene without a portrait gets that of the other scenes. */
async function avatarPlanner(
  context: SceneContext,
  scenes: readonly StoredScene[],
  { audioKey, places }: Soundtrack,
): Promise<ClipPlanner> {
  const avatars = await chooseAvatars()
  const track = parseWav(await getObject(audioKey))
  const person = scenes.find(({ imageKey }) => imageKey)?.imageKey
  return ({ imageKey }, index) => {
    const portraitKey = imageKey ?? person
    if (!portraitKey) throw new JobFailure('visuals-failed', 'The video has no portrait of a presenter.')
    const { startMs, endMs } = places[index]!
    const voice = sliceSound(track, startMs, endMs)
    const request = { durationMs: endMs - startMs, ...downscaledSize(context.video) }
    const make: PlannedClip['make'] = async (orderContext) =>
      avatars
        .speak({ ...request, voice, portrait: await getObject(portraitKey) }, orderContext)
        .catch(rethrowPortraitRefusal)
    const shown = { imageKey: portraitKey, isCameraMove: false }
    return { names: [avatars.id, portraitKey, hashOf(voice), request], make, shown }
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

async function storeClip(context: SceneContext, { names, make }: PlannedClip): Promise<void> {
  const { owner, signal } = context
  // Each take is a separate vendor order.
  const keyOf = (take: number) => artefactKey(owner, 'visuals', take === 1 ? names : [...names, take], 'mp4')
  const orderContext = { orderLog: orderLogFor(owner), signal }
  await storeOnce(owner, keyOf(1), 'video/mp4', () =>
    makeChecked(context, keyOf(1), (take, directory) => make({ ...orderContext, directory, key: keyOf(take) }, take)),
  )
}

/** The bytes of the first take that passes the picture check. */
async function makeChecked(
  { owner, directory, signal }: SceneContext,
  key: string,
  make: (take: number, scratch: string) => Promise<{ bytes: Uint8Array }>,
): Promise<Uint8Array> {
  const scratch = await mkdtemp(join(directory, 'scene-'))
  const { result } = await withQualityGate(
    'visuals-failed',
    { owner, key },
    (take) => retryWhileBusy(() => make(take, scratch), signal),
    ({ bytes }) => checkPicture(bytes, scratch),
  )
  return result.bytes
}

function rethrowPresenterRefusal(error: unknown): never {
  const reason = error instanceof Refusal ? error.extras.details?.[0]?.message : undefined
  throw reason === undefined ? error : new JobFailure('visuals-failed', `The picture of the presenter ${reason}.`)
}
