/** How long a request waits for a synchronous action. A file of its own: it waits for real, beside the others. */
import { expect } from 'vitest'
import { now } from '../../lib/clock.ts'
import { claimAction } from '../../lib/domain/action.ts'
import { mintId } from '../../lib/domain/id.ts'
import { priceOf } from '../../lib/domain/workspace.ts'
import { commit } from '../../lib/store/commit.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { call, newWorld } from '../support/world.ts'
import { rule } from './rule.ts'

rule('idempotency.synchronous-limit', async () => {
  const { apiKey: key, workspaceId } = await newWorld({ planId: 'free' })
  const { body } = await call('POST', '/videos', { key, body: { prompt: 'An idea' } })
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, body.data.id)])
  const wish = { kind: 'description' as const, target: '', input: { prompt: null }, answerScope: null }
  const price = priceOf(workspace, 10, 'video', now())
  await commit(
    claimAction(workspace, video, undefined, wish, price, mintId('run', now()), { arrivedAt: now(), now: now() })
      .decision!,
  )

  const startedAt = Date.now()
  const answer = await call('POST', `/videos/${video.id}/description`, { key })
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  // API Gateway would have cut at 30 s.
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(25_000)
  expect(Date.now() - startedAt).toBeLessThan(29_000)
})
