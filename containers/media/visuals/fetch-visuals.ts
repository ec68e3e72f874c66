/** Makes every picture and clip of a plan that is not kept yet, and writes down which ones the segments show. */
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import type { VisualWish } from '../../../lib/domain/generation/plan-visuals.ts'
import type { MadeVisuals, VisualPlan } from '../../../lib/domain/generation/visual-media.ts'
import { madeVisualsKey, mediaOf, refuseManyPictures } from '../../../lib/domain/generation/visual-media.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { log } from '../../../lib/log.ts'
import { theFootage } from '../../../lib/providers/choose/footage.ts'
import { theImages } from '../../../lib/providers/choose/images.ts'
import { ProviderBusy } from '../../../lib/providers/failures.ts'
import type { Clip, Credit } from '../../../lib/providers/footage/index.ts'
import type { Picture } from '../../../lib/providers/images/index.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { keepJson, keepOnce, type Owner } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { madeWell } from '../../../lib/use-cases/generation/quality-gate.ts'
import { inParallel } from '../ffmpeg-context.ts'
import { patiently } from '../retry-while-busy.ts'
import type { Task } from '../task.ts'
import { creditedIds, keepCredit } from './attributions.ts'
import { lookAt } from './check-picture.ts'

/** The share of a generation's progress that this task tells. */
const [fromPercent, toPercent] = [45, 95]
/** Vendors take so many wishes of one account at a time without complaint, and most of a wish is waiting. */
const wishesAtOnceMin = 3

export async function fetchVisuals({ run, video, rest: [planKey], directory, signal }: Task): Promise<void> {
  if (!planKey) throw new Error('fetch-visuals needs the key of a plan.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const [plan, images, footage] = await Promise.all([getJson<VisualPlan>(planKey), theImages(), theFootage()])
  const makers = { still: images.id, clip: footage.id }
  const shown = plan.map((shot) => ({ segment: shot.segment, ...mediaOf(owner, shot, makers) }))
  // Shots that look alike share a picture.
  const wanted = [...new Map(shown.flatMap(({ toMake }) => (toMake ? [[toMake.key, toMake]] : []))).values()]
  refuseManyPictures(video.brief, wanted.length)
  const studio = { owner, video, images, footage, directory, signal, ...(await takenOnce(shown)) }
  let made = 0
  const tell = () => noteVisual(video, made, wanted.length)
  await tell()
  await inParallel(
    wanted.map(({ wish, key }) => async () => {
      signal.throwIfAborted()
      await make(studio, wish, key)
      made += 1
      await tell()
    }),
    Math.max(wishesAtOnceMin, availableParallelism()),
  )
  const segments: MadeVisuals = shown.map(({ segment, media }) => ({ ...segment, media }))
  await keepJson(owner, madeVisualsKey(planKey), segments)
}

/** Takes each clip of a collection once for all the segments, those included that are kept. */
async function takenOnce(shown: readonly Pick<ReturnType<typeof mediaOf>, 'media'>[]) {
  const clipKeys = shown.flatMap(({ media }) => (media?.kind === 'clip' ? [media.key] : []))
  const taken = new Set(await creditedIds(clipKeys))
  return {
    take: (id: string) => taken.size !== taken.add(id).size,
    release: (id: string) => void taken.delete(id),
  }
}

function noteVisual(video: Video, made: number, wanted: number): Promise<void> {
  const { runId, attempt } = video.process!
  const progress = fromPercent + Math.floor(((toPercent - fromPercent) * made) / Math.max(wanted, 1))
  const statusText = `Making the visuals: ${made} of ${wanted}`
  return noteProgress(video, 'process', { runId, attempt }, { progress, statusText })
}

interface Studio extends Pick<Task, 'video' | 'directory' | 'signal'> {
  owner: Owner
  images: Awaited<ReturnType<typeof theImages>>
  footage: Awaited<ReturnType<typeof theFootage>>
  take: (id: string) => boolean
  release: (id: string) => void
}

async function make(studio: Studio, wish: VisualWish, key: string): Promise<void> {
  const { owner, directory } = studio
  let credit: Credit | undefined
  await keepOnce(owner, key, wish.kind === 'still' ? 'image/png' : 'video/mp4', async () => {
    const scratch = await mkdtemp(join(directory, 'visual-'))
    const { made } = await madeWell(
      'visuals-failed',
      { owner, key },
      (take) => draw(studio, take === 1 ? wish : { ...wish, take: String(take) }, scratch),
      ({ bytes }) => lookAt(bytes, scratch),
    )
    if ('credit' in made) credit = made.credit
    return made.bytes
  })
  // Only now: an author who is noted beside the clip of somebody else would be wrong for good.
  if (credit) await keepCredit(owner, key, credit)
}

async function draw(studio: Studio, wish: VisualWish & { take?: string }, directory: string): Promise<Picture | Clip> {
  const { video, images, footage, take, release, signal } = studio
  if (wish.kind === 'still') return patiently(() => images.draw(wish, signal), signal)
  const asked = { ...wish, language: video.brief.language }
  const place = { directory, signal, take, release }
  return patiently(() => footage.find(asked, place), signal).catch((error) => {
    // Footage costs nothing: another one now is better than no video.
    if (!footage.spare || !(error instanceof ProviderBusy)) throw error
    log.warn('footage.spared', { error })
    return footage.spare.find(asked, place)
  })
}
