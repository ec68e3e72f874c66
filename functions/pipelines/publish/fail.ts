/** Ends a publication that could not be finished: what was reached stays reached, all else gets the reason. */
import * as v from 'valibot'
import { loggedWith } from '../../../lib/log.ts'
import { failInput, reasonOf } from '../../../lib/pipelines/fail-run.ts'
import { closePublish } from '../../../lib/use-cases/publishing/finish-publish.ts'

export async function handler(event: unknown): Promise<void> {
  const { error, ...run } = v.parse(failInput, event)
  await loggedWith(run, () => closePublish(run, reasonOf(error, 'publish-failed')))
}
