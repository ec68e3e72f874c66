/** Ends a render that could not be finished, with the reason. */
import * as v from 'valibot'
import { failRun, failRunInput } from '../../../lib/pipelines/fail-run.ts'

export const handler = (event: unknown) => failRun(v.parse(failRunInput, event), 'render', 'render-failed')
