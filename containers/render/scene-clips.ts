/** Makes the pictures of scenes: their stills, and the clips in which these move or a person speaks. What is kept is not made again. */
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { keepObject, keepOnce, type Owner } from '../../lib/actions/keep.ts'
import { ordersOf } from '../../lib/actions/keep-order.ts'
import { fetchPortrait } from '../../lib/actions/portrait.ts'
import { theAnimator } from '../../lib/actions/providers/animator.ts'
import { theAvatars } from '../../lib/actions/providers/avatars.ts'
import { theImages } from '../../lib/actions/providers/images.ts'
import { madeWell } from '../../lib/actions/quality.ts'
import { getObject } from '../../lib/aws/media.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import { JobFailure } from '../../lib/domain/job.ts'
import { Refusal } from '../../lib/domain/refusal.ts'
import { motionOf, portraitUrlOf, smallSize, stillOf, waitsForClip } from '../../lib/domain/scene-pictures.ts'
import type { Soundtrack } from '../../lib/domain/soundtrack.ts'
import { type StoredScene, ugc } from '../../lib/domain/timelines/scenes.ts'
import type { Video } from '../../lib/domain/video.ts'
import { demuxerFor } from '../../lib/ffmpeg/limits.ts'
import { PortraitRefused } from '../../lib/providers/avatars/index.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'
import type { OrderPlace } from '../../lib/providers/orders.ts'
import { parseWav, type Sound, soundBetween } from '../../lib/render/wav.ts'
import { lookAt } from './look-at.ts'
import { patiently } from './patiently.ts'
import { inParallel } from './workplace.ts'

/** Vendors take so many wishes of one account at a time without complaint, and most of a wish is waiting. */
const wishesAtOnceMin = 3

/** For whom pictures are made, and where. */
export interface Studio {
  owner: Owner
  video: Video
  /** For scratch files. */
  directory: string
  signal: AbortSignal
}

/** The scenes with a still for each that has none; where a person speaks them, it is the picture of that person. */
export async function withStills(studio: Studio, scenes: readonly StoredScene[]): Promise<StoredScene[]> {
  const { owner, video } = studio
  const portraitUrl = video.subType === ugc ? portraitUrlOf(video.brief) : null
  if (portraitUrl !== null) {
    const portraitKey = await keepPortrait(owner, portraitUrl)
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
      seenWell(studio, (take) => images.draw(take === 1 ? wish : { ...wish, take: String(take) })),
    )
  })
  await inParallel(tasks, Math.max(wishesAtOnceMin, availableParallelism()))
  return drawn
}

/** The scenes with a clip for each that waits for one. `onMade` hears of each. */
export async function withMotion(
  studio: Studio,
  scenes: readonly StoredScene[],
  soundtrack: Soundtrack,
  onMade: () => Promise<void> = async () => {},
): Promise<StoredScene[]> {
  const make =
    studio.video.subType === ugc ? await speaking(studio, scenes, soundtrack) : await moving(studio, soundtrack)
  const made = [...scenes]
  const tasks = scenes.map((scene, index) => async () => {
    if (!waitsForClip(studio.video, scene)) return
    studio.signal.throwIfAborted()
    made[index] = { ...scene, ...(await make(scene, index)) }
    await onMade()
  })
  await inParallel(tasks, Math.max(wishesAtOnceMin, availableParallelism()))
  return made
}

type Make = (scene: StoredScene, index: number) => Promise<Pick<StoredScene, 'imageKey' | 'videoKey' | 'isCameraMove'>>

/** Lets the still of a scene move as its prompt says. */
async function moving(studio: Studio, { places }: Soundtrack): Promise<Make> {
  const animator = await theAnimator()
  const isCameraMove = animator.movesCameraOnly === true
  const size = isCameraMove ? smallSize(studio.video) : {}
  return async ({ imageKey, ...scene }, index) => {
    const wish = { ...motionOf(studio.video, scene, places[index]!), ...size }
    const videoKey = await keepClip(studio, [animator.id, imageKey, wish], async (place, take) => {
      const seed = take === 1 ? wish.seed : `${wish.seed}/${take}`
      return animator.animate({ ...wish, seed, still: await getObject(imageKey!) }, place)
    })
    return { imageKey, videoKey, isCameraMove }
  }
}

/** Lets a person speak what is heard in a scene. A scene that was added later is spoken by the person of the others. */
async function speaking(
  studio: Studio,
  scenes: readonly StoredScene[],
  { audioKey, places }: Soundtrack,
): Promise<Make> {
  const avatars = await theAvatars()
  const track = parseWav(await getObject(audioKey))
  const person = scenes.find(({ imageKey }) => imageKey)?.imageKey
  return async ({ imageKey }, index) => {
    const portraitKey = imageKey ?? person
    if (!portraitKey) throw new JobFailure('visuals-failed', 'There is no picture of a person who could speak.')
    const { startMs, endMs } = places[index]!
    const voice = soundBetween(track, startMs, endMs)
    const wish = { durationMs: endMs - startMs, ...smallSize(studio.video) }
    const videoKey = await keepClip(studio, [avatars.id, portraitKey, hashOf(voice), wish], async (place) =>
      avatars.speak({ ...wish, voice, portrait: await getObject(portraitKey) }, place).catch(toldRefusal),
    )
    return { imageKey: portraitKey, videoKey, isCameraMove: false }
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

async function keepClip(
  studio: Studio,
  names: unknown[],
  make: (place: OrderPlace, take: number) => Promise<Clip>,
): Promise<string> {
  const { owner, signal } = studio
  const keyOf = (take: number) => artefactKey(owner, 'visuals', take === 1 ? names : [...names, take], 'mp4')
  await keepOnce(owner, keyOf(1), 'video/mp4', () =>
    // Another take is another order.
    seenWell(studio, (take, directory) => make({ directory, orders: ordersOf(owner), key: keyOf(take), signal }, take)),
  )
  return keyOf(1)
}

/** What was made, once there is something to see on it. */
async function seenWell(
  { directory, signal }: Studio,
  make: (take: number, scratch: string) => Promise<{ bytes: Uint8Array }>,
): Promise<Uint8Array> {
  const scratch = await mkdtemp(join(directory, 'scene-'))
  const { made } = await madeWell(
    'visuals-failed',
    (take) => patiently(() => make(take, scratch), signal),
    ({ bytes }) => lookAt(bytes, scratch),
  )
  return made.bytes
}

const pictureKinds = {
  png_pipe: { extension: 'png', contentType: 'image/png' },
  jpeg_pipe: { extension: 'jpg', contentType: 'image/jpeg' },
  webp_pipe: { extension: 'webp', contentType: 'image/webp' },
}
const isPicture = (demuxer: string | undefined): demuxer is keyof typeof pictureKinds =>
  demuxer !== undefined && demuxer in pictureKinds

/** The brief's picture of a person as it is now, under its contents. */
async function keepPortrait(owner: Owner, url: string): Promise<string> {
  const bytes = await fetchPortrait(url).catch((error) => {
    const reason = error instanceof Refusal ? error.extras.details?.[0]?.message : undefined
    if (reason === undefined) throw error
    throw new JobFailure('visuals-failed', `The picture of the presenter ${reason}.`)
  })
  const demuxer = demuxerFor(bytes)
  if (!isPicture(demuxer))
    throw new JobFailure('visuals-failed', 'The picture of the presenter is no PNG, JPEG or WebP.')
  const { extension, contentType } = pictureKinds[demuxer]
  const name = createHash('sha256').update(bytes).digest('hex')
  const key = artefactKey(owner, 'visuals', ['portrait', name], extension)
  await keepObject(owner, key, bytes, contentType)
  return key
}
