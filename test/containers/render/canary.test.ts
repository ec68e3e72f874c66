import { expect, it } from 'vitest'
import { runCanary } from '../../../containers/media/render/canary.ts'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { laneDifferenceKey } from '../../../lib/domain/core/artefact.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { newRenderDirectory } from '../../render/compositions.ts'

it('the canary is the same bytes on every run; where another worker rendered others it fails and stores both hashes', async () => {
  const run = { runId: mintId('run', now()) }
  const context = () => ({ directory: newRenderDirectory(), signal: new AbortController().signal })
  const { sha256 } = await runCanary(context(), run)
  const other = '0'.repeat(64)
  await expect(runCanary(context(), run, [other])).rejects.toThrow(`${sha256}, but another worker rendered ${other}`)
  expect(await getJson(laneDifferenceKey(run.runId))).toEqual({ sha256, expected: other })
})
