/** Writes the script from the idea, or takes the client's own text word for word. */
import { videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepOnce } from '../../../lib/actions/keep.ts'
import { theWriter } from '../../../lib/actions/providers/writer.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { hasObject } from '../../../lib/aws/media.ts'
import type { ArtefactOwner } from '../../../lib/domain/artefact.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { contentOwner } from '../../../lib/domain/clip.ts'
import { stageProgress } from '../../../lib/domain/job-stage.ts'
import { scriptOf } from '../../../lib/domain/script.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { titleFor } from '../../../lib/providers/writer/title.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'script-failed', async (run) => {
  const [workspace, video, writer] = await Promise.all([
    getWorkspace(run.workspaceId),
    videoOfOpenRun(run, 'process'),
    theWriter(),
  ])
  await noteProgress(video, 'process', run, { progress: stageProgress.script, statusText: 'Writing the script' })
  const order = scriptOf(video)
  const isOwn = 'text' in order
  const write = async (): Promise<Script> =>
    isOwn ? { title: titleFor(order.text), text: order.text } : writer.write(order)
  const owner = { workspace, videoId: video.id }
  const names = isOwn ? order.text : [writer.id, order]
  const keyIn = (of: ArtefactOwner) => artefactKey(of, 'scripts', names, 'json')
  const [told, key] = [keyIn(contentOwner(workspace, video)), keyIn(owner)] as const
  // A clip goes on telling the script of its source.
  if (told !== key && (await hasObject(told))) return { key: told }
  await keepOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await write())))
  return { key }
})
