/** The transcriber of a source file. */
import { getObject } from '../../aws/media-bucket.ts'
import { type TranscriberId, transcriberIds } from '../../domain/generation/source.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import type { Transcriber } from '../transcriber/index.ts'
import { openAiServer } from './openai.ts'

/** Not for the built-in one: its words are those of the subtitles, which are read with the file. */
export async function chooseTranscriber(id: TranscriberId): Promise<Transcriber> {
  if (id === transcriberIds['built-in']) throw new Error('The built-in transcriber recognises no speech.')
  if (id === transcriberIds.openai) {
    const { openAiTranscriber } = await import('../transcriber/openai.ts')
    return openAiTranscriber(await openAiServer('transcription'), { read: getObject })
  }
  const { amazonTranscriber } = await import('../transcriber/amazon-transcribe.ts')
  const reportFailure = (job: string, reason: string) => log.warn('transcriber.failed', { job, reason })
  return amazonTranscriber({ bucket: env.bucketName(), read: getObject, reportFailure })
}
