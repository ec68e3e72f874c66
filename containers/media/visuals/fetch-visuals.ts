/**
 * Generates or fetches every still and clip of a plan that is not stored yet, and stores which media the segments show.
 */
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parallelLimit } from '../../../lib/async.ts'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { ProviderBusy } from '../../../lib/domain/core/failures.ts'
import type { VisualRequest } from '../../../lib/domain/generation/plan-visuals.ts'
import type { ResolvedVisuals, VisualPlan } from '../../../lib/domain/generation/visual-media.ts'
import { refuseTooManyPictures, resolveMedia, visualsResultKey } from '../../../lib/domain/generation/visual-media.ts'
import { type Attribution, mediaCredit } from '../../../lib/domain/records/attribution.ts'
import { log } from '../../../lib/log.ts'
import { chooseFootage } from '../../../lib/providers/choose/footage.ts'
import { chooseImages } from '../../../lib/providers/choose/images.ts'
import type { Clip } from '../../../lib/providers/footage/index.ts'
import type { Picture } from '../../../lib/providers/images/index.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeFirstJson, storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { withProgress } from '../progress-writer.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'
import type { JobTask } from '../task.ts'
import { attributionsOf, storeAttribution } from './attributions.ts'
import { checkPicture } from './check-picture.ts'

/** The range of the generation's progress that this task reports. */
const [fromPercent, toPercent] = [45, 95]
/** Vendors accept this many concurrent requests of one account, and most of a request is waiting. */
const concurrencyMin = 3

export async function fetchVisuals({ run, video, rest: [planKey], directory, signal }: JobTask): Promise<void> {
  if (!planKey) throw new Error('fetch-visuals needs the key of a plan.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const [plan, images, footage] = await Promise.all([getJson<VisualPlan>(planKey), chooseImages(), chooseFootage()])
  const providerIds = { still: images.id, clip: footage.id }
  const resolved = plan.map((shot) => ({ segment: shot.segment, ...resolveMedia(owner, shot, providerIds) }))
  // Equal requests share one stored picture.
  const missing = [...new Map(resolved.flatMap(({ toMake }) => (toMake ? [[toMake.key, toMake]] : []))).values()]
  refuseTooManyPictures(video.brief, missing.length)
  const context = { owner, video, images, footage, directory, signal, ...(await reservationsOf(resolved, images)) }
  const { runId, attempt } = video.process!
  const write = (progress: number, statusText?: string) =>
    reportProgress(video, 'process', { runId, attempt }, { progress, ...(statusText && { statusText }) })
  await withProgress({ signal, write }, async (progress) => {
    let done = 0
    const report = () => {
      const share = done / Math.max(missing.length, 1)
      const percent = fromPercent + Math.floor((toPercent - fromPercent) * share)
      progress.report(percent, `Generating the visuals: ${done} of ${missing.length}`)
    }
    report()
    await parallelLimit(
      missing.map(({ wish: request, key }) => async () => {
        // Pictures that are being made are finished also where the run is lost, since they may have been paid for.
        progress.signal.throwIfAborted()
        await makeVisual(context, request, key)
        done += 1
        report()
      }),
      Math.max(concurrencyMin, availableParallelism()),
    )
  })
  const attributions = await attributionsOf(collectionKeys(resolved, images))
  const segments: ResolvedVisuals = resolved.map(({ segment, media }) => {
    const attribution = media && attributions.get(media.key)
    const credit = attribution && mediaCredit(media.kind, attribution)
    return { ...segment, media: credit ? { ...media, credit } : media }
  })
  await storeFirstJson(owner, visualsResultKey(planKey), segments)
}

type Resolved = Pick<ReturnType<typeof resolveMedia>, 'media'>

/** The keys of media that may have an attribution: clips, and stills if they come from a collection. */
const collectionKeys = (resolved: readonly Resolved[], { isCollection }: VisualsContext['images']): string[] =>
  resolved.flatMap(({ media }) => (media && (media.kind === 'clip' || isCollection) ? [media.key] : []))

/** Reserves each file of a collection for one segment, including those that are stored already. */
async function reservationsOf(resolved: readonly Resolved[], images: VisualsContext['images']) {
  const attributions = await attributionsOf(collectionKeys(resolved, images))
  const taken = new Set([...attributions.values()].map(({ id }) => id))
  return {
    reserve: (id: string) => taken.size !== taken.add(id).size,
    release: (id: string) => void taken.delete(id),
  }
}

interface VisualsContext extends Pick<JobTask, 'video' | 'directory' | 'signal'> {
  owner: StorageOwner
  images: Awaited<ReturnType<typeof chooseImages>>
  footage: Awaited<ReturnType<typeof chooseFootage>>
  reserve: (id: string) => boolean
  release: (id: string) => void
}

/** Stores the still or clip under its key, unless it exists. */
async function makeVisual(context: VisualsContext, request: VisualRequest, key: string): Promise<void> {
  const { owner, directory } = context
  let attribution: Attribution | undefined
  const isStored = await storeOnce(owner, key, request.kind === 'still' ? 'image/png' : 'video/mp4', async () => {
    const scratch = await mkdtemp(join(directory, 'visual-'))
    const { result } = await withQualityGate(
      'visuals-failed',
      { owner, key },
      (take) => makePicture(context, take === 1 ? request : { ...request, take: String(take) }, scratch),
      ({ bytes }) => checkPicture(bytes, scratch),
    )
    if ('attribution' in result) attribution = result.attribution
    return result.bytes
  })
  // After the clip, so that an attribution is never stored beside the clip of another author.
  if (isStored && attribution) await storeAttribution(owner, key, attribution)
}

async function makePicture(
  context: VisualsContext,
  request: VisualRequest & { take?: string },
  directory: string,
): Promise<Picture | Clip> {
  const { video, images, footage, reserve, release, signal } = context
  const spare =
    <Result>(fallback: (() => Promise<Result>) | undefined) =>
    (error: unknown) => {
      // Collections are free: another picture is better than no video.
      if (!fallback || !(error instanceof ProviderBusy)) throw error
      log.warn(request.kind === 'still' ? 'images.spared' : 'footage.spared', { error })
      return fallback()
    }
  if (request.kind === 'still') {
    const other = images.fallback
    return retryWhileBusy(() => images.draw(request, signal, { reserve, release }), signal).catch(
      spare(other && (() => other.draw(request, signal))),
    )
  }
  const footageRequest = { ...request, language: video.brief.language }
  const footageContext = { directory, signal, reserve, release }
  const other = footage.fallback
  return retryWhileBusy(() => footage.find(footageRequest, footageContext), signal).catch(
    spare(other && (() => other.find(footageRequest, footageContext))),
  )
}
