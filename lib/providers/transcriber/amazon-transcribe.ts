/**
 * Transcriber by Amazon Transcribe (StartTranscriptionJob, GetTranscriptionJob):
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_StartTranscriptionJob.html (read November 2026).
 * Idempotent: a job is named after its sound, so a repeated start joins the first job; after a failed job the next
 * number is used. Files with subtitles and silent files cost nothing.
 */
import type { TranscribeClientConfig } from '@aws-sdk/client-transcribe'
import {
  ConflictException,
  GetTranscriptionJobCommand,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { ProviderBusy, ProviderRejected } from '../../domain/core/failures.ts'
import { transcriberIds } from '../../domain/generation/source.ts'
import { awsFailure } from '../aws-failures.ts'
import { OrderPending } from '../vendor-orders.ts'
import { parseTranscribeResult } from './amazon-transcribe-result.ts'
import { builtInTranscriber } from './built-in.ts'
import type { Transcriber } from './index.ts'

interface AmazonTranscriberDeps extends Pick<TranscribeClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /** Holds the sounds and receives the results. Transcribe acts with the permissions of the caller. */
  bucket: string
  read: (key: string) => Promise<Uint8Array>
  /** Waits between two polls. Throws when the signal aborts. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  /** For the operator: the reason names buckets of the deployment. */
  reportFailure: (job: string, reason: string) => void
}

/** Ten minutes: half an hour of speech takes some minutes. The retry of a task joins the job. */
const pollsMax = 120
const waitMs = 5_000
/** Limit per sound, across all tasks. */
const jobsMax = 10
const deadlineMs = 10_000

export function amazonTranscriber({
  bucket,
  read,
  wait,
  reportFailure,
  ...account
}: AmazonTranscriberDeps): Transcriber {
  const requestHandler = new NodeHttpHandler({ connectionTimeout: 2_000, throwOnRequestTimeout: true })
  const client = new TranscribeClient({ ...account, maxAttempts: 1, requestHandler })
  return {
    id: transcriberIds.transcribe,
    async transcribe(recording) {
      const known = await builtInTranscriber.transcribe(recording)
      if (known.words.length > 0 || known.passages.length === 0) return known
      const {
        soundKey,
        ffmpeg: { signal },
      } = recording
      const resultKey = soundKey.replace(/\.wav$/, '.transcript.json')
      const job = await startOrJoinJob(
        client,
        { sound: `s3://${bucket}/${soundKey}`, bucket, resultKey },
        soundKey,
        signal,
      )
      for (let polls = 0; polls < pollsMax; polls++) {
        const { status, reason } = await jobStatus(client, job, signal)
        if (status === 'COMPLETED') return { ...known, words: parseTranscribeResult(await read(resultKey)) }
        if (status === 'FAILED') {
          reportFailure(job, reason)
          throw new ProviderRejected('Transcribe cannot transcribe this file.')
        }
        await wait(waitMs, signal)
      }
      throw new OrderPending('Transcribe is still processing this.')
    },
  }
}

interface Job {
  sound: string
  bucket: string
  resultKey: string
}

/** The name of the job for a sound: a running or completed one, otherwise a new one. */
async function startOrJoinJob(
  client: TranscribeClient,
  job: Job,
  soundKey: string,
  signal: AbortSignal,
): Promise<string> {
  const first = `reelsmith-${soundKey.replace(/[^0-9a-zA-Z._-]/g, '-')}`.slice(-190)
  for (let number = 1; number <= jobsMax; number++) {
    const name = number === 1 ? first : `${first}-${number}`
    if (await startJob(client, name, job)) return name
    if ((await jobStatus(client, name, signal)).status !== 'FAILED') return name
  }
  throw new ProviderRejected(`Transcribe failed to transcribe this file in ${jobsMax} jobs.`)
}

/**
 * False where a job of this name exists: it has the same sound. The language of an upload is unknown, so it is
 * detected.
 */
async function startJob(client: TranscribeClient, name: string, { sound, bucket, resultKey }: Job): Promise<boolean> {
  const command = new StartTranscriptionJobCommand({
    TranscriptionJobName: name,
    Media: { MediaFileUri: sound },
    MediaFormat: 'wav',
    IdentifyLanguage: true,
    OutputBucketName: bucket,
    OutputKey: resultKey,
  })
  try {
    await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) })
    return true
  } catch (error) {
    if (error instanceof ConflictException) return false
    throw awsFailure('Transcribe', 'this sound', error)
  }
}

/** Status of a job and, for the operator, the reason of its failure. A busy service gives no status. */
async function jobStatus(client: TranscribeClient, TranscriptionJobName: string, signal: AbortSignal) {
  const command = new GetTranscriptionJobCommand({ TranscriptionJobName })
  try {
    const { TranscriptionJob } = await client.send(command, {
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    })
    return {
      status: TranscriptionJob?.TranscriptionJobStatus,
      reason: TranscriptionJob?.FailureReason ?? 'no reason given',
    }
  } catch (error) {
    signal.throwIfAborted()
    const failure = awsFailure('Transcribe', 'this sound', error)
    if (failure instanceof ProviderBusy) return { status: undefined, reason: '' }
    throw failure
  }
}
