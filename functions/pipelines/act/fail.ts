/** Fails a sync job: the request gets the reason, the reserved credits are released. */
import * as v from 'valibot'
import { failSyncJobInput, failSyncJobRun } from '../../../lib/pipelines/fail-run.ts'

export const handler = (event: unknown) => failSyncJobRun(v.parse(failSyncJobInput, event), 'provider-unavailable')
