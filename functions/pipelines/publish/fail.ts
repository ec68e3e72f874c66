/** Ends a publication that could not be finished: what was reached stays reached, all else gets the reason. */
import * as v from 'valibot'
import { closePublish } from '../../../lib/actions/close-publish.ts'
import { failInput, reasonOf } from '../../../lib/actions/fail-run.ts'
import { loggedWith } from '../../../lib/log.ts'

export async function handler(event: unknown): Promise<void> {
  const { error, ...run } = v.parse(failInput, event)
  await loggedWith(run, () => closePublish(run, reasonOf(error, 'publish-failed')))
}
