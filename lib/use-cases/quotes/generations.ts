/** Quotes of the actions that generate, and of a new script. */
import { createAutomationRequestFor, createVideoRequestFor } from '../../contract/requests/videos.ts'
import * as automations from '../../contract/routes/automations.ts'
import * as jobs from '../../contract/routes/jobs.ts'
import * as videos from '../../contract/routes/videos.ts'
import { createAutomation } from '../../domain/automations/automation-lifecycle.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import { requestScript } from '../../domain/generation/script-job.ts'
import { workOfGeneration } from '../../domain/generation/vendor-prices.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import { createClip } from '../../domain/videos/clip.ts'
import { createVideo } from '../../domain/videos/create-video.ts'
import { requestProcess } from '../../domain/videos/requeue.ts'
import { generatedSeconds, priceOfDecision } from '../../domain/workspaces/quote.ts'
import { decideForWorkspace } from '../../domain/workspaces/test-clock.ts'
import { loadVoices } from '../../providers/choose/voices.ts'
import { getVideo } from '../../store/videos.ts'
import { quotedAction } from './quoted-action.ts'

/** Ids that are never stored. */
const newIds = (now: string) => ({ videoId: mintId('vid', now), runId: mintId('run', now) })

const priceOfGeneration = (decision: VideoDecision) => {
  const seconds = generatedSeconds(decision)
  return { ...priceOfDecision(decision), seconds, work: seconds === null ? {} : workOfGeneration(decision.video) }
}

export const createVideoQuote = quotedAction<typeof videos.createVideo>({
  row: videos.createVideo,
  loadBodySchema: async () => createVideoRequestFor(await loadVoices()),
  price: async ({ workspace, body, now }) => priceOfGeneration(createVideo(workspace, body, newIds(now), now)),
})

export const createAutomationQuote = quotedAction<typeof automations.createAutomation>({
  row: automations.createAutomation,
  loadBodySchema: async () => createAutomationRequestFor(await loadVoices()),
  price: async ({ workspace, body, now }) =>
    priceOfGeneration(decideForWorkspace(workspace, now, (at) => createAutomation(workspace, body, newIds(now), at))),
})

export const processVideoQuote = quotedAction<typeof jobs.processVideo>({
  row: jobs.processVideo,
  price: async ({ workspace, params, body, now }) => {
    const video = await getVideo(workspace.id, params.id)
    return priceOfGeneration(requestProcess(workspace, video, body, mintId('run', now), now))
  },
})

export const createClipQuote = quotedAction<typeof videos.createClip>({
  row: videos.createClip,
  price: async ({ workspace, params, body, now }) => {
    const source = await getVideo(workspace.id, params.id)
    return priceOfGeneration(createClip(workspace, source, body, newIds(now), now))
  },
})

export const writeScriptQuote = quotedAction<typeof jobs.writeScript>({
  row: jobs.writeScript,
  price: async ({ workspace, params, body, now }) => {
    const video = await getVideo(workspace.id, params.id)
    const decision = requestScript(workspace, video, body.prompt ?? null, mintId('run', now), now)
    return { ...priceOfDecision(decision), seconds: null, work: { writer: 1 } }
  },
})
