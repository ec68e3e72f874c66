/** Timeouts of requests to platforms. */
import { describe, expect, it } from 'vitest'
import { NoResponse } from '../../../lib/platforms/failures.ts'
import { platformClientWithDeadline } from '../../../lib/use-cases/accounts/platform-client.ts'
import { startScriptedReceiver } from '../../egress/scripted-receiver.ts'

describe('a request with a deadline', () => {
  it('times out at the deadline, also when it asks for a longer timeout or for none', async () => {
    for (const more of [{ deadlineMs: 60_000 }, {}]) {
      const silent = await startScriptedReceiver(() => {})
      const asked = platformClientWithDeadline(50)({ method: 'GET', url: silent.url, ...more })
      await expect(asked).rejects.toThrow(NoResponse)
    }
  })
})
