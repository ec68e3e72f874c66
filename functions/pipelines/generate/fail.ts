/** Ends a generation that a step could not finish: the reason is told, the reserved credits are released. */
import * as v from 'valibot'
import { failInput, failRun } from '../../../lib/actions/fail-run.ts'

export const handler = (event: unknown) => failRun(v.parse(failInput, event), 'process', 'visuals-failed')
