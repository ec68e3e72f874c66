/** How long platforms are waited for. */
import { describe, expect, it } from 'vitest'
import { NoResponse } from '../../../lib/platforms/failures.ts'
import { platformClientWithDeadline } from '../../../lib/use-cases/accounts/platform-client.ts'
import { startScriptedReceiver } from '../../egress/scripted-receiver.ts'

describe('a hurried request', () => {
  it('is over after its time, also where it wishes for more, and without a time of its own', async () => {
    for (const more of [{ deadlineMs: 60_000 }, {}]) {
      const silent = await startScriptedReceiver(() => {})
      const asked = platformClientWithDeadline(50)({ method: 'GET', url: silent.url, ...more })
      await expect(asked).rejects.toThrow(NoResponse)
    }
  })
})
