/**
 * A presenter whose clip shows nothing: the clip is checked before it is charged and stored, and each take is another
 * order.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { SyncJobTask } from '../../../containers/media/task.ts'
import { makePresenter } from '../../../containers/media/visuals/make-presenter.ts'
import { putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { presenterPrice } from '../../../lib/domain/workspaces/plan.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import type { Avatars } from '../../../lib/providers/avatars/index.ts'
import { given } from '../../support/given/videos.ts'
import { portraitPng, speechWav, startPictureServer } from '../../support/picture-server.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { newWorld } from '../../support/world.ts'

const studio = vi.hoisted(() => ({ orders: [] as string[] }))
vi.mock('../../../lib/providers/choose/avatars.ts', () => {
  const avatars: Avatars = {
    id: 'black-1',
    async speak({ durationMs, width, height }, { key, directory }) {
      studio.orders.push(key)
      const source = [
        '-f',
        'lavfi',
        '-i',
        'color=black:size=90x160:duration=1',
        '-pix_fmt',
        'yuv420p',
        '-y',
        'black.mp4',
      ]
      await runFfmpeg({ directory, timeoutMs: 20_000, arguments: ['-v', 'error', ...source] })
      return { bytes: readFileSync(join(directory, 'black.mp4')), durationMs, width, height }
    },
  }
  return { chooseAvatars: async () => avatars }
})

it('a presenter clip that is black twice is refused with the reason, and the next request orders it again', async () => {
  const server = await startPictureServer({ '/clara.png': async (answer) => answer.end(await portraitPng(200, 200)) })
  const directory = temporaryDirectory()
  onTestFinished(async () => {
    await server.close()
  })
  const { workspaceId } = await newWorld()
  const segment = { id: 'brl_1', startMs: 0, endMs: 2_000, text: 'Sleep.', prompt: 'Sleep.', keywords: [] }
  const bRolls = [{ ...segment, mediaType: 'ai_image' as const, hidden: false, media: null }]
  const video = await given.generatedVideo({ workspaceId }, { bRolls })
  await putObject(video.media.audioKey!, speechWav(3), 'audio/wav')
  const place = { workspaceId, videoId: video.id, runId: 'run_1', kind: 'presenter' as const, target: 'brl_1' }
  const charge = { credits: presenterPrice(2_000), unit: 'avatar' as const, metered: true }
  const action = {
    ...{ ...place, version: 1, status: 'RUNNING' as const, input: { imageUrl: server.url('/clara.png') }, charge },
    ...{ answerScope: null, answer: null, error: null, previous: null, startedAt: now(), deadlineAt: now() },
    ...{ attempt: 1, dueAt: null },
  }
  const task: SyncJobTask = { job: action, directory, signal: new AbortController().signal }
  const refused = { code: 'visuals-failed', message: expect.stringContaining('pictures that show nothing: 1') }
  await expect(makePresenter(task)).rejects.toMatchObject(refused)
  await expect(makePresenter(task)).rejects.toMatchObject(refused)
  expect(new Set(studio.orders).size).toBe(4)
})
