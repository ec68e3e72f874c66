/** Makes every picture and clip of a plan that is not kept yet, and writes down which ones the segments show. */
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parallelLimit } from '../../../lib/async.ts'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { ProviderBusy } from '../../../lib/domain/core/failures.ts'
import type { VisualRequest } from '../../../lib/domain/generation/plan-visuals.ts'
import type { ResolvedVisuals, VisualPlan } from '../../../lib/domain/generation/visual-media.ts'
import { refuseTooManyPictures, resolveMedia, visualsResultKey } from '../../../lib/domain/generation/visual-media.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { log } from '../../../lib/log.ts'
import { chooseFootage } from '../../../lib/providers/choose/footage.ts'
import { chooseImages } from '../../../lib/providers/choose/images.ts'
import type { Attribution, Clip } from '../../../lib/providers/footage/index.ts'
import type { Picture } from '../../../lib/providers/images/index.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { type StorageOwner, storeJson, storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'
import type { JobTask } from '../task.ts'
import { attributedClipIds, storeAttribution } from './attributions.ts'
import { checkPicture } from './check-picture.ts'

/** The share of a generation's progress that this task tells. */
const [fromPercent, toPercent] = [45, 95]
/** Vendors take so many wishes of one account at a time without complaint, and most of a wish is waiting. */
const concurrencyMin = 3

export async function fetchVisuals({ run, video, rest: [planKey], directory, signal }: JobTask): Promise<void> {
  if (!planKey) throw new Error('fetch-visuals needs the key of a plan.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const [plan, images, footage] = await Promise.all([getJson<VisualPlan>(planKey), chooseImages(), chooseFootage()])
  const makers = { still: images.id, clip: footage.id }
  const shown = plan.map((shot) => ({ segment: shot.segment, ...resolveMedia(owner, shot, makers) }))
  // Shots that look alike share a picture.
  const wanted = [...new Map(shown.flatMap(({ toMake }) => (toMake ? [[toMake.key, toMake]] : []))).values()]
  refuseTooManyPictures(video.brief, wanted.length)
  const studio = { owner, video, images, footage, directory, signal, ...(await clipReservations(shown)) }
  let made = 0
  const tell = () => reportVisuals(video, made, wanted.length)
  await tell()
  await parallelLimit(
    wanted.map(({ wish, key }) => async () => {
      signal.throwIfAborted()
      await makeVisual(studio, wish, key)
      made += 1
      await tell()
    }),
    Math.max(concurrencyMin, availableParallelism()),
  )
  const segments: ResolvedVisuals = shown.map(({ segment, media }) => ({ ...segment, media }))
  await storeJson(owner, visualsResultKey(planKey), segments)
}

/** Takes each clip of a collection once for all the segments, those included that are kept. */
async function clipReservations(shown: readonly Pick<ReturnType<typeof resolveMedia>, 'media'>[]) {
  const clipKeys = shown.flatMap(({ media }) => (media?.kind === 'clip' ? [media.key] : []))
  const taken = new Set(await attributedClipIds(clipKeys))
  return {
    reserve: (id: string) => taken.size !== taken.add(id).size,
    release: (id: string) => void taken.delete(id),
  }
}

function reportVisuals(video: Video, made: number, wanted: number): Promise<void> {
  const { runId, attempt } = video.process!
  const progress = fromPercent + Math.floor(((toPercent - fromPercent) * made) / Math.max(wanted, 1))
  const statusText = `Making the visuals: ${made} of ${wanted}`
  return reportProgress(video, 'process', { runId, attempt }, { progress, statusText })
}

interface VisualsContext extends Pick<JobTask, 'video' | 'directory' | 'signal'> {
  owner: StorageOwner
  images: Awaited<ReturnType<typeof chooseImages>>
  footage: Awaited<ReturnType<typeof chooseFootage>>
  reserve: (id: string) => boolean
  release: (id: string) => void
}

async function makeVisual(studio: VisualsContext, wish: VisualRequest, key: string): Promise<void> {
  const { owner, directory } = studio
  let credit: Attribution | undefined
  await storeOnce(owner, key, wish.kind === 'still' ? 'image/png' : 'video/mp4', async () => {
    const scratch = await mkdtemp(join(directory, 'visual-'))
    const { made } = await withQualityGate(
      'visuals-failed',
      { owner, key },
      (take) => draw(studio, take === 1 ? wish : { ...wish, take: String(take) }, scratch),
      ({ bytes }) => checkPicture(bytes, scratch),
    )
    if ('attribution' in made) credit = made.attribution
    return made.bytes
  })
  // Only now: an author who is noted beside the clip of somebody else would be wrong for good.
  if (credit) await storeAttribution(owner, key, credit)
}

async function draw(
  studio: VisualsContext,
  wish: VisualRequest & { take?: string },
  directory: string,
): Promise<Picture | Clip> {
  const { video, images, footage, reserve, release, signal } = studio
  if (wish.kind === 'still') return retryWhileBusy(() => images.draw(wish, signal), signal)
  const asked = { ...wish, language: video.brief.language }
  const place = { directory, signal, reserve, release }
  return retryWhileBusy(() => footage.find(asked, place), signal).catch((error) => {
    // Footage costs nothing: another one now is better than no video.
    if (!footage.fallback || !(error instanceof ProviderBusy)) throw error
    log.warn('footage.spared', { error })
    return footage.fallback.find(asked, place)
  })
}
