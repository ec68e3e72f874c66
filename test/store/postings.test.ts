import { describe, expect, it } from 'vitest'
import { Superseded } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { newPosting, type Posting } from '../../lib/domain/publishing/posting.ts'
import { markSending } from '../../lib/domain/publishing/posting-transitions.ts'
import { WriteConflict } from '../../lib/store/core/write-conflict.ts'
import { createPosting, deletePostings, findPosting, listPostings, writePosting } from '../../lib/store/postings.ts'

const now = '2026-11-21T10:00:00.000Z'
const film = { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' }

/** A stored posting with its own run. */
async function given(more: Partial<Posting> = {}): Promise<Posting> {
  const ids = { workspaceId: 'wsp_postings', videoId: mintId('vid', now), runId: mintId('run', now) }
  const post = { id: 'post', caption: 'A caption', title: 'A title', language: 'en', film, acceptedAt: now }
  const account = { profileId: 'prf_1', accountId: 'acc_1', platform: 'twitter' as const }
  const input = { ...ids, ...account, post, filmKey: 'film.mp4', deadlineAt: '2026-11-21T10:15:00.000Z' }
  const posting = { ...newPosting(input, { step: 'initialize' }), ...more }
  await createPosting(posting)
  return posting
}

describe('a posting', () => {
  it('is read as it was written', async () => {
    const posting = await given()
    expect(await findPosting(posting)).toMatchObject(posting)
    const written = await writePosting({ ...posting, state: { step: 'post' }, notBefore: now })
    expect(await findPosting(posting)).toMatchObject({ ...written, version: 2 })
  })

  it('is created once: a second create leaves it unchanged', async () => {
    const posting = await given()
    await writePosting(markSending(posting, false))
    await createPosting(posting)
    expect(await findPosting(posting)).toMatchObject({ phase: 'sending', version: 2 })
  })

  it('is sent by one worker: of concurrent writers of the intent, all others fail', async () => {
    const posting = await given()
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => writePosting(markSending(posting, false))))
    const lost = tried.filter((one) => one.status === 'rejected')
    expect(lost).toHaveLength(19)
    expect(lost.every(({ reason }) => reason instanceof WriteConflict)).toBe(true)
  })

  it('is not recreated after it was deleted with its video', async () => {
    const { videoId, workspaceId, runId, ...posting } = await given()
    const sameRun = { workspaceId, videoId, runId }
    for (let number = 2; number <= 30; number++)
      await createPosting({ ...posting, ...sameRun, accountId: `acc_${number}` })
    expect(await listPostings(workspaceId, videoId, runId)).toHaveLength(30)
    await deletePostings(workspaceId, videoId)
    expect(await listPostings(workspaceId, videoId, runId)).toEqual([])
    await expect(writePosting({ ...posting, ...sameRun })).rejects.toThrow(Superseded)
  })

  it('is listed only with those of its own run', async () => {
    const posting = await given()
    await createPosting({ ...posting, runId: mintId('run', now) })
    expect(await listPostings(posting.workspaceId, posting.videoId, posting.runId)).toMatchObject([posting])
  })
})
