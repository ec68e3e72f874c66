/** Writes the caption of a video and keeps it, with the prompt that steered it. */
import { settle } from '../../../lib/actions/settle.ts'
import { actionInput, step } from '../../../lib/actions/step.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { openAction } from '../../../lib/domain/action.ts'
import { describeVideo } from '../../../lib/domain/video.ts'
import { builtInWriter } from '../../../lib/providers/writer/built-in.ts'
import { findAction } from '../../../lib/store/actions.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = step(actionInput, 'script-failed', async (place) => {
  const action = openAction(await findAction(place), place.runId)
  const video = await getVideo(place.workspaceId, place.videoId)
  const { captions } = await getTimelines(video, ['captions'])
  const prompt = typeof action.input.prompt === 'string' ? action.input.prompt : video.brief.descriptionPrompt
  const description = await builtInWriter.describe({
    title: video.title,
    text:
      captions.map(({ punctuated_word }) => punctuated_word).join(' ') || video.brief.text || video.brief.prompt || '',
    prompt,
    language: video.brief.language,
  })
  await settle(place, (current) => ({
    decision: describeVideo(current, description, prompt, now()),
    answer: { videoId: current.id, description },
  }))
})
