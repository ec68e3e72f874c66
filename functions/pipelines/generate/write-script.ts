/** Writes the script from the idea, or takes the client's own text word for word. */
import { videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { once } from '../../../lib/aws/media.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { requestedSecondsMax, speaksOwnText } from '../../../lib/domain/brief.ts'
import { builtInWriter } from '../../../lib/providers/writer/built-in.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { titleFor } from '../../../lib/providers/writer/title.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

/** Part of the name under which a script is kept: counts up when the writer writes otherwise. */
const writerVersion = 'built-in-1'

export const handler = step(runInput, 'script-failed', async ({ ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  await noteProgress(video, 'process', run, { progress: 5, statusText: 'Writing the script' })
  const { brief, mood } = video
  const { prompt, scriptPrompt, language } = brief
  const wish = { prompt: prompt ?? '', scriptPrompt, language, durationSecondsMax: requestedSecondsMax(brief), mood }
  const own = speaksOwnText(brief) ? (brief.text ?? '').trim() : undefined
  const write = async (): Promise<Script> =>
    own === undefined ? builtInWriter.write(wish) : { title: titleFor(own), text: own }
  const key = artefactKey(workspace, 'scripts', own === undefined ? [writerVersion, wish] : own, 'json')
  await once(key, 'application/json', async () => Buffer.from(JSON.stringify(await write())))
  return { key }
})
