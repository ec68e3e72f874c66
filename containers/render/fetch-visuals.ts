/** Makes every picture and clip of a plan that is not kept yet, and writes down which ones the segments show. */
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getJson, once, putJson } from '../../lib/aws/media.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import type { Video } from '../../lib/domain/video.ts'
import type { MadeVisuals, VisualPlan } from '../../lib/domain/visual-plan.ts'
import { madeVisualsKey } from '../../lib/domain/visual-plan.ts'
import type { VisualWish } from '../../lib/domain/visuals.ts'
import type { Workspace } from '../../lib/domain/workspace.ts'
import { generatedFootage } from '../../lib/providers/footage/generated.ts'
import { drawnImages } from '../../lib/providers/images/drawn.ts'
import { noteProgress } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import type { Task } from './main.ts'
import { inParallel } from './workplace.ts'

/** The share of a generation's progress that this task tells. */
const [fromPercent, toPercent] = [45, 95]

export async function fetchVisuals({ run, video, rest: [planKey], directory, signal }: Task): Promise<void> {
  if (!planKey) throw new Error('fetch-visuals needs the key of a plan.')
  const workspace = await getWorkspace(run.workspaceId)
  const plan = await getJson<VisualPlan>(planKey)
  let made = 0
  const tell = () => noteVisual(video, made, plan.length)
  await tell()
  const segments: MadeVisuals = plan.map(({ segment, wish }) => ({ ...segment, media: mediaOf(workspace, wish) }))
  await inParallel(
    plan.map(({ wish }, index) => async () => {
      signal.throwIfAborted()
      await make(wish, segments[index]!.media!.key, directory)
      made += 1
      await tell()
    }),
    availableParallelism(),
  )
  await putJson(madeVisualsKey(planKey), segments)
}

function noteVisual(video: Video, made: number, wanted: number): Promise<void> {
  const { runId, attempt } = video.process!
  const progress = fromPercent + Math.floor(((toPercent - fromPercent) * made) / wanted)
  const statusText = `Making the visuals: ${made} of ${wanted}`
  return noteProgress(video, 'process', { runId, attempt }, { progress, statusText })
}

/** The maker's name is part of the place, so that another maker's picture is another object. */
function mediaOf(workspace: Workspace, wish: VisualWish): { kind: 'still' | 'clip'; key: string } {
  const maker = wish.kind === 'still' ? drawnImages.id : generatedFootage.id
  return {
    kind: wish.kind,
    key: artefactKey(workspace, 'visuals', [maker, wish], wish.kind === 'still' ? 'png' : 'mp4'),
  }
}

async function make(wish: VisualWish, key: string, directory: string): Promise<void> {
  if (wish.kind === 'still') {
    await once(key, 'image/png', async () => (await drawnImages.draw(wish)).bytes)
    return
  }
  await once(key, 'video/mp4', async () => {
    const scratch = await mkdtemp(join(directory, 'clip-'))
    return (await generatedFootage.find(wish, scratch)).bytes
  })
}
