/**
 * Transcribes the sound of a source file, unless its facts are known. A vendor that takes minutes is not waited for: the
 * state machine waits and invokes this again.
 */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import type { TimedWord } from '../../../lib/domain/core/timeline-item.ts'
import {
  type Passage,
  type SourceReading,
  sourceFacts,
  sourceFactsKey,
  sourceReadingKey,
  type TranscriberId,
  transcriptPartKey,
} from '../../../lib/domain/generation/source.ts'
import { withOrderPatience } from '../../../lib/pipelines/order-patience.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { chooseTranscriber } from '../../../lib/providers/choose/transcriber.ts'
import { transcriberIdFor } from '../../../lib/providers/choose/transcriber-id.ts'
import { OrderPending } from '../../../lib/providers/vendor-orders.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { isStored, storeFirstJson, storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { orderLogFor } from '../../../lib/use-cases/generation/order-log.ts'
import { loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

const input = v.object({
  ...runInput.entries,
  /** When the execution started. */
  startedAt: v.string(),
})

export const handler = step(input, 'transcription-failed', async ({ startedAt, ...run }) => {
  const [workspace, video] = await Promise.all([getWorkspace(run.workspaceId), loadOpenRunVideo(run, 'process')])
  const owner = { workspace, videoId: video.id }
  const { sourceKey } = video.media
  if (!sourceKey) throw new JobFailure('transcription-failed', 'This video has no source file.')
  const transcriberId = transcriberIdFor(video)
  const factsKey = sourceFactsKey(owner, sourceKey, transcriberId)
  if (await isStored(owner, factsKey)) return { outcome: 'done' }
  await reportProgress(video, 'process', run, { progress: 90, statusText: 'Transcribing the speech' })
  const reading = await getJson<SourceReading>(sourceReadingKey(owner, sourceKey))
  try {
    const words = await withOrderPatience(startedAt, () => transcribe(owner, transcriberId, factsKey, reading))
    await storeFirstJson(owner, factsKey, sourceFacts(reading, words))
    return { outcome: 'done' }
  } catch (error) {
    if (error instanceof OrderPending) return { outcome: 'pending' }
    throw error
  }
})

async function transcribe(
  owner: StorageOwner,
  transcriberId: TranscriberId,
  factsKey: string,
  { audioKey: soundKey, passages }: SourceReading,
): Promise<TimedWord[]> {
  const transcriber = await chooseTranscriber(transcriberId)
  // Every request has a deadline of its own.
  const { signal } = new AbortController()
  const makeOnce = async (part: Passage, make: () => Promise<TimedWord[]>) => {
    const key = transcriptPartKey(owner, factsKey, part)
    await storeOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await make())))
    return getJson<TimedWord[]>(key)
  }
  return transcriber.transcribe(
    { soundKey, passages },
    { orderLog: orderLogFor(owner), key: factsKey, signal, makeOnce },
  )
}
