/** Ends an action that a step could not finish: the request is told why, the reserved credits are released. */
import * as v from 'valibot'
import { failSyncJobInput, failSyncJobRun } from '../../../lib/pipelines/fail-run.ts'

export const handler = (event: unknown) => failSyncJobRun(v.parse(failSyncJobInput, event), 'provider-unavailable')
