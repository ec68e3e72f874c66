/** Makes every picture and clip of a plan that is not kept yet, and writes down which ones the segments show. */
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { keepJson, keepOnce, type Owner } from '../../lib/actions/keep.ts'
import { getJson } from '../../lib/aws/media.ts'
import type { Video } from '../../lib/domain/video.ts'
import type { MadeVisuals, Makers, VisualPlan } from '../../lib/domain/visual-plan.ts'
import { madeVisualsKey, mediaOf } from '../../lib/domain/visual-plan.ts'
import type { VisualWish } from '../../lib/domain/visuals.ts'
import { generatedFootage } from '../../lib/providers/footage/generated.ts'
import { drawnImages } from '../../lib/providers/images/drawn.ts'
import { noteProgress } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import type { Task } from './main.ts'
import { inParallel } from './workplace.ts'

const makers: Makers = { still: drawnImages.id, clip: generatedFootage.id }

/** The share of a generation's progress that this task tells. */
const [fromPercent, toPercent] = [45, 95]

export async function fetchVisuals({ run, video, rest: [planKey], directory, signal }: Task): Promise<void> {
  if (!planKey) throw new Error('fetch-visuals needs the key of a plan.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const plan = await getJson<VisualPlan>(planKey)
  const shown = plan.map((shot) => ({ segment: shot.segment, ...mediaOf(owner, shot, makers) }))
  const wanted = shown.flatMap(({ toMake }) => toMake ?? [])
  let made = 0
  const tell = () => noteVisual(video, made, wanted.length)
  await tell()
  await inParallel(
    wanted.map(({ wish, key }) => async () => {
      signal.throwIfAborted()
      await make(owner, wish, key, directory)
      made += 1
      await tell()
    }),
    availableParallelism(),
  )
  const segments: MadeVisuals = shown.map(({ segment, media }) => ({ ...segment, media }))
  await keepJson(owner, madeVisualsKey(planKey), segments)
}

function noteVisual(video: Video, made: number, wanted: number): Promise<void> {
  const { runId, attempt } = video.process!
  const progress = fromPercent + Math.floor(((toPercent - fromPercent) * made) / Math.max(wanted, 1))
  const statusText = `Making the visuals: ${made} of ${wanted}`
  return noteProgress(video, 'process', { runId, attempt }, { progress, statusText })
}

async function make(owner: Owner, wish: VisualWish, key: string, directory: string): Promise<void> {
  if (wish.kind === 'still') {
    await keepOnce(owner, key, 'image/png', async () => (await drawnImages.draw(wish)).bytes)
    return
  }
  await keepOnce(owner, key, 'video/mp4', async () => {
    const scratch = await mkdtemp(join(directory, 'clip-'))
    return (await generatedFootage.find(wish, scratch)).bytes
  })
}
