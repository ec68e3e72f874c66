/**
 * Has Amazon Transcribe write down what is said in a file. A job is named after the sound that it is about: whoever starts it again
 * meets the first one, which is paid once, unless it failed: then it is started under the next name. Where the words are known already, or nothing is heard, nothing is bought.
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

export interface AmazonTranscriberDeps extends Pick<TranscribeClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /** Where the sounds lie, and where Transcribe puts what it heard: it acts in the name of whoever asks. */
  bucket: string
  read: (key: string) => Promise<Uint8Array>
  /** Waits between two questions. Throws where the signal says that nobody waits any longer. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  /** Hears why a job failed: the reason speaks of the deployment's places, and is for its operator. */
  reportFailure: (job: string, reason: string) => void
}

/** Half an hour of speech takes some minutes. A task that gives up is started again, and joins the job. */
const pollsMax = 120
const waitMs = 5_000
/** A sound is tried so often, however many ask for it. */
const jobsMax = 10
const deadlineMs = 10_000

export function amazonTranscriber({
  bucket,
  read,
  wait,
  reportFailure: noteFailure,
  ...account
}: AmazonTranscriberDeps): Transcriber {
  const requestHandler = new NodeHttpHandler({ connectionTimeout: 2_000, throwOnRequestTimeout: true })
  const client = new TranscribeClient({ ...account, maxAttempts: 1, requestHandler })
  return {
    id: transcriberIds.transcribe,
    async transcribe(recording) {
      const known = await builtInTranscriber.transcribe(recording)
      if (known.words.length > 0 || known.passages.length === 0) return known
      const { soundKey, place } = recording
      const resultKey = soundKey.replace(/\.wav$/, '.transcript.json')
      const job = await startOrJoinJob(
        client,
        { sound: `s3://${bucket}/${soundKey}`, bucket, resultKey },
        soundKey,
        place.signal,
      )
      for (let question = 0; question < pollsMax; question++) {
        const { status, reason } = await jobStatus(client, job, place.signal)
        if (status === 'COMPLETED') return { ...known, words: parseTranscribeResult(await read(resultKey)) }
        if (status === 'FAILED') {
          noteFailure(job, reason)
          throw new ProviderRejected('Transcribe cannot tell what is said in this file.')
        }
        await wait(waitMs, place.signal)
      }
      throw new OrderPending('Transcribe is still listening.')
    },
  }
}

interface Job {
  sound: string
  bucket: string
  resultKey: string
}

/** The name of the job for a sound: of one that runs or is done, else of one that is started. */
async function startOrJoinJob(
  client: TranscribeClient,
  job: Job,
  soundKey: string,
  signal: AbortSignal,
): Promise<string> {
  const first = `reelsmith-${soundKey.replace(/[^0-9a-zA-Z._-]/g, '-')}`.slice(-190)
  for (let number = 1; number <= jobsMax; number++) {
    const name = number === 1 ? first : `${first}-${number}`
    if (await isStarted(client, name, job)) return name
    if ((await jobStatus(client, name, signal)).status !== 'FAILED') return name
  }
  throw new ProviderRejected('Transcribe could not tell what is said in this file, however often it was asked.')
}

/** False where there is a job of this name: the sound of both is the same. Nobody knows what language is spoken in a file that came. */
async function isStarted(client: TranscribeClient, name: string, { sound, bucket, resultKey }: Job): Promise<boolean> {
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

/** How a job stands, for its operator why it failed. A look that fails says nothing of the job. */
async function jobStatus(client: TranscribeClient, TranscriptionJobName: string, signal: AbortSignal) {
  const command = new GetTranscriptionJobCommand({ TranscriptionJobName })
  try {
    const { TranscriptionJob } = await client.send(command, {
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    })
    return {
      status: TranscriptionJob?.TranscriptionJobStatus,
      reason: TranscriptionJob?.FailureReason ?? 'It gives no reason.',
    }
  } catch (error) {
    signal.throwIfAborted()
    const failure = awsFailure('Transcribe', 'this sound', error)
    if (failure instanceof ProviderBusy) return { status: undefined, reason: '' }
    throw failure
  }
}
