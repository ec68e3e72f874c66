import { expect, it } from 'vitest'
import { runCanary } from '../../../containers/media/render/canary.ts'
import { newRenderDirectory } from '../../render/compositions.ts'

it('the canary is the same bytes on every run, and fails where another worker rendered others', async () => {
  const context = () => ({ directory: newRenderDirectory(), signal: new AbortController().signal })
  const { sha256 } = await runCanary(context())
  const other = '0'.repeat(64)
  await expect(runCanary(context(), [other])).rejects.toThrow(`${sha256}, but another worker rendered ${other}`)
})
