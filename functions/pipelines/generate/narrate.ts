/** Speaks the script; the voice's own timing of the words is kept beside the sound. */
import * as v from 'valibot'
import { videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { artefact, runInput, step } from '../../../lib/actions/step.ts'
import { getJson, hasObject, putJson, putObject } from '../../../lib/aws/media.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { JobFailure } from '../../../lib/domain/job.ts'
import type { NarrationFacts } from '../../../lib/domain/narration.ts'
import { paidSecondsMax } from '../../../lib/domain/plan.ts'
import { findVoice } from '../../../lib/domain/voice.ts'
import { refuseOverlong } from '../../../lib/domain/workspace.ts'
import { builtInNarrator } from '../../../lib/providers/narrator/built-in.ts'
import type { Script } from '../../../lib/providers/writer/index.ts'
import { noteProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

/** Part of the name under which a narration is kept: counts up when the voices change. */
const narratorVersion = 'built-in-1'

const input = v.object({ ...runInput.entries, script: artefact })

export const handler = step(input, 'voice-failed', async ({ script, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), videoOfOpenRun(run, 'process')])
  await noteProgress(video, 'process', run, { progress: 15, statusText: 'Speaking the script' })
  const voice = findVoice(video.brief.voiceId)
  if (!voice) throw new JobFailure('voice-failed', `There is no voice ${video.brief.voiceId}.`)
  const { text } = await getJson<Script>(script.key)
  const names = [narratorVersion, voice.id, text]
  const [key, audioKey] = [
    artefactKey(workspace, 'narrations', names, 'json'),
    artefactKey(workspace, 'narrations', names, 'wav'),
  ]
  // The facts are written after the sound: where they are, the sound is.
  if (!(await hasObject(key))) {
    const { wav, durationMs, words } = await builtInNarrator.narrate(text, voice)
    await putObject(audioKey, wav, 'audio/wav')
    await putJson(key, { audioKey, durationMs, words } satisfies NarrationFacts)
  }
  const seconds = (await getJson<NarrationFacts>(key)).durationMs / 1000
  refuseOverlong(workspace, seconds)
  const paid = paidSecondsMax(video.brief)
  if (seconds > paid)
    throw new JobFailure(
      'voice-failed',
      `The text takes ${Math.ceil(seconds)} seconds to speak, the brief asks for ${paid}.`,
    )
  return { key }
})
