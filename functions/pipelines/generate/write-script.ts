/** Writes the script from the idea, or stores the client's text unchanged. */

import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { artefactKey, videoIdOfKey } from '../../../lib/domain/core/artefact.ts'
import { scriptSource } from '../../../lib/domain/generation/script.ts'
import { stageProgress } from '../../../lib/domain/records/jobs.ts'
import type { Script } from '../../../lib/domain/records/script.ts'
import { contentOwner } from '../../../lib/domain/videos/clip.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { titleFor } from '../../../lib/providers/writer/title.ts'
import { reportPaidStep, reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { writeUniqueScript } from '../../../lib/use-cases/generation/write-script.ts'
import { loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'script-failed', async (run) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  await reportProgress(video, 'process', run, { progress: stageProgress.script, statusText: 'Writing the script' })
  const request = scriptSource(video)
  const [source, owner] = [contentOwner(workspace, video), { workspace, videoId: video.id }]
  if (!('text' in request)) {
    const key = await writeUniqueScript(video, source, owner, request)
    // The script of its source, or of its last generation, was paid for before.
    if (videoIdOfKey(key) === video.id && key !== video.scriptKey) await reportPaidStep(video, run, 'script')
    return { key }
  }
  const { text } = request
  // A script that was written for this text keeps its beats and sources.
  if (video.scriptKey && (await getJson<Script>(video.scriptKey)).text === text) return { key: video.scriptKey }
  const sourceKey = artefactKey(source, 'scripts', text, 'json')
  // A clip keeps the script of its source.
  if (source.videoId !== owner.videoId && (await hasObject(sourceKey))) return { key: sourceKey }
  const key = artefactKey(owner, 'scripts', text, 'json')
  await storeOnce(owner, key, 'application/json', async () =>
    Buffer.from(JSON.stringify({ title: titleFor(text), text, writtenBy: 'client', grounded: false, sources: [] })),
  )
  return { key }
})
