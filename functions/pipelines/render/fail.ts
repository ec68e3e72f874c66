/** Fails a render with its reason. */
import * as v from 'valibot'
import { failRun, failRunInput } from '../../../lib/pipelines/fail-run.ts'

export const handler = (event: unknown) => failRun(v.parse(failRunInput, event), 'render', 'render-failed')
