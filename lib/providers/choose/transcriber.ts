/** The transcriber of a source file. */
import { setTimeout as delay } from 'node:timers/promises'
import { getObject } from '../../aws/media-bucket.ts'
import { transcriberIds } from '../../domain/generation/source.ts'
import type { Video } from '../../domain/records/video.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { builtInTranscriber } from '../transcriber/built-in.ts'
import type { Transcriber } from '../transcriber/index.ts'
import { openAiServer } from './openai.ts'
import { transcriberIdFor } from './transcriber-id.ts'

export async function chooseTranscriber(video: Pick<Video, 'process'>): Promise<Transcriber> {
  const id = transcriberIdFor(video)
  if (id === transcriberIds['built-in']) return builtInTranscriber
  if (id === transcriberIds.openai) {
    const { openAiTranscriber } = await import('../transcriber/openai.ts')
    return openAiTranscriber(await openAiServer('transcription'))
  }
  const { amazonTranscriber } = await import('../transcriber/amazon-transcribe.ts')
  const wait = (ms: number, signal: AbortSignal) => delay(ms / env.timeScale(), undefined, { signal })
  const reportFailure = (job: string, reason: string) => log.warn('transcriber.failed', { job, reason })
  return amazonTranscriber({ bucket: env.bucketName(), read: getObject, wait, reportFailure })
}
