/**
 * Reports the end of a posting: in the log, and on its video before the other postings have ended. Called by the other
 * use cases of publishing.
 */
import type { Posting } from '../../domain/publishing/posting.ts'
import { endedResult } from '../../domain/publishing/publish-run.ts'
import { log } from '../../log.ts'
import { recordPublishResult } from '../../store/publish-results.ts'
import { getVideo } from '../../store/videos.ts'

export const postingIds = ({ workspaceId, videoId, runId, accountId, platform }: Posting) => ({
  workspaceId,
  videoId,
  runId,
  accountId,
  platform,
})

export function logPostingEnd(posting: Posting): void {
  const code = codeOf(posting)
  if (code === unknown) log.warn('publish.unknown', { ...postingIds(posting), step: posting.state.step })
  log.info('posting.ended', { ...postingIds(posting), code })
}

/**
 * A best-effort update of the video, so that clients see the result early: the end of the run writes it again, and a
 * failure here repeats no post. An unknown outcome is written only by the end of the run.
 */
export async function reportPostingEnd(posting: Posting): Promise<void> {
  const { workspaceId, videoId, runId, accountId, end } = posting
  if (!end || codeOf(posting) === unknown) return
  try {
    const video = await getVideo(workspaceId, videoId)
    const result = video.publish?.results.find((one) => one.accountId === accountId)
    if (video.publish?.runId === runId && result) await recordPublishResult(video, endedResult(result, end))
  } catch (error) {
    log.warn('posting.not-reported', { ...postingIds(posting), error: error as Error })
  }
}

const unknown = 'publish-outcome-unknown'

const codeOf = ({ end }: Posting) => (end?.status === 'FAILED' ? end.error.code : 'completed')
