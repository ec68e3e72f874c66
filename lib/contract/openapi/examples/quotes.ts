/** Example responses of `routes/quotes.ts`. */

import * as v from 'valibot'
import { createVideo } from '../../../domain/videos/create-video.ts'
import { createQuote, generatedSeconds, priceOfDecision } from '../../../domain/workspaces/quote.ts'
import { createVideoRequest } from '../../requests/videos.ts'
import * as routes from '../../routes/quotes.ts'
import { createVideo as createVideoRow } from '../../routes/videos.ts'
import type { ExampleScenario } from './scenario.ts'

export function quoteExamples({ workspace, at }: ExampleScenario) {
  const { action, body } = routes.createQuote.bodyExample
  const input = v.parse(createVideoRequest, body)
  const decision = createVideo(workspace, input, { videoId: 'vid_01kbexample', runId: 'run_1' }, at(0))
  const price = priceOfDecision(decision)
  const quote = createQuote(workspace.mediaSecret, [createVideoRow.signature, {}, input], price, at(0))
  return { createQuote: { ...quote, action, ...price, seconds: generatedSeconds(decision), vendorUsd: 0 } }
}
