/** Fails a publication: published posts stay published, the others get the reason. */
import * as v from 'valibot'
import { withLogFields } from '../../../lib/log.ts'
import { failRunInput, jobErrorFromCause } from '../../../lib/pipelines/fail-run.ts'
import { finishPublish } from '../../../lib/use-cases/publishing/finish-publish.ts'

export async function handler(event: unknown): Promise<void> {
  const { error, ...run } = v.parse(failRunInput, event)
  await withLogFields(run, () => finishPublish(run, jobErrorFromCause(error, 'publish-failed')))
}
