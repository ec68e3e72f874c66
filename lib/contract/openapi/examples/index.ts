/**
 * The examples of the OpenAPI document: what the service itself responds to `bodyExample` of each row, decided by the domain
 * and shown by the views, so that an example cannot be out of date. One file per feature, as in `routes/`.
 */
import { notFound } from '../../../domain/core/refusal.ts'
import type { ErrorBody } from '../../errors.ts'
import { toErrorResponse } from '../../errors.ts'
import { parseRequest } from '../../parse-request.ts'
import * as routes from '../../routes.ts'
import { automationExamples } from './automations.ts'
import { eventExamples } from './events.ts'
import { jobExamples } from './jobs.ts'
import { keyExamples } from './keys.ts'
import { profileExamples } from './profiles.ts'
import { quoteExamples } from './quotes.ts'
import { exampleScenario } from './scenario.ts'
import { sceneExamples } from './scenes.ts'
import { timelineExamples } from './timelines.ts'
import { uploadExamples } from './uploads.ts'
import { videoExamples } from './videos.ts'
import { exampleEvents, webhookExamples } from './webhooks.ts'
import { workspaceExamples } from './workspace.ts'

type RouteName = keyof typeof routes

/** The response of each route: its `data`, or the whole page. */
export function exampleResponses(): Partial<Record<RouteName, unknown>> {
  const scenario = exampleScenario()
  return {
    ...workspaceExamples(scenario),
    ...profileExamples(scenario),
    ...videoExamples(scenario),
    ...jobExamples(scenario),
    ...keyExamples(scenario),
    ...timelineExamples(scenario),
    ...sceneExamples(scenario),
    ...quoteExamples(scenario),
    ...automationExamples(scenario),
    ...uploadExamples(scenario),
    ...eventExamples(scenario),
    ...webhookExamples(scenario),
  }
}

/** The body of each event. */
export const exampleEventEnvelopes = () => exampleEvents(exampleScenario())

export function exampleErrors(): Partial<Record<ErrorBody['error']['code'], ErrorBody>> {
  const errorBody = (reason: unknown) => toErrorResponse(reason, 'req_01kbexample').body
  return {
    'invalid-request': errorBody(refusalOf({ type: 'film' })),
    'not-found': errorBody(notFound('record')),
    'internal-error': errorBody(undefined),
  }
}

/** The refusal of a body by POST /videos. */
function refusalOf(body: unknown): unknown {
  try {
    return parseRequest(routes.createVideo, { params: {}, query: {}, body: JSON.stringify(body) })
  } catch (refusal) {
    return refusal
  }
}
