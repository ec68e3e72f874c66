/**
 * Transcriber by Amazon Transcribe (StartTranscriptionJob, GetTranscriptionJob):
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_StartTranscriptionJob.html (read November 2026).
 * Idempotent: a job is named after the token of its order, so a repeated start joins the first job.
 */
import type { TranscribeClientConfig } from '@aws-sdk/client-transcribe'
import {
  ConflictException,
  GetTranscriptionJobCommand,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { OutcomeUnknown, ProviderBusy } from '../../domain/core/failures.ts'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { transcriberIds } from '../../domain/generation/source.ts'
import { awsFailure } from '../aws-failures.ts'
import { type OrderApi, OrderFailed, runOrder } from '../vendor-orders.ts'
import { parseTranscribeResult } from './amazon-transcribe-result.ts'
import type { Recording, Transcriber, TranscriptionContext } from './index.ts'

interface AmazonTranscriberDeps extends Pick<TranscribeClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /** Holds the sounds and receives the results. Transcribe acts with the permissions of the caller. */
  bucket: string
  read: (key: string) => Promise<Uint8Array>
  /** For the operator: the reason names buckets of the deployment. */
  reportFailure: (job: string, reason: string) => void
}

const deadlineMs = 10_000

export function amazonTranscriber({ bucket, read, reportFailure, ...account }: AmazonTranscriberDeps): Transcriber {
  const requestHandler = new NodeHttpHandler({ connectionTimeout: 2_000, throwOnRequestTimeout: true })
  const client = new TranscribeClient({ ...account, maxAttempts: 1, requestHandler })
  const api: OrderApi<Recording, TimedWord[], TranscriptionContext> = {
    name: 'Transcribe',
    isIdempotent: true,
    async submit({ soundKey }, token) {
      const job = `reelsmith-${token}`
      await startJob(client, job, { sound: `s3://${bucket}/${soundKey}`, bucket, resultKey: resultKeyOf(soundKey) })
      return job
    },
    async poll(job, { signal }) {
      const { status, reason } = await jobStatus(client, job, signal)
      if (status === 'FAILED') {
        reportFailure(job, reason)
        throw new OrderFailed('Transcribe cannot transcribe this file.')
      }
      return status === 'COMPLETED' ? job : undefined
    },
    collect: async (_job, { soundKey }) => parseTranscribeResult(await read(resultKeyOf(soundKey))),
  }
  return {
    id: transcriberIds.transcribe,
    transcribe: (recording, context) => runOrder(api, recording, context),
  }
}

const resultKeyOf = (soundKey: string) => soundKey.replace(/\.wav$/, '.transcript.json')

interface Job {
  sound: string
  bucket: string
  resultKey: string
}

/** Does nothing where a job of this name exists. The language of an upload is unknown, so it is detected. */
async function startJob(client: TranscribeClient, name: string, { sound, bucket, resultKey }: Job): Promise<void> {
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
  } catch (error) {
    if (error instanceof ConflictException) return
    const failure = failureOf(error)
    // It may have started the job.
    throw failure instanceof ProviderBusy ? new OutcomeUnknown(failure.message, { cause: error }) : failure
  }
}

/** Status of a job and, for the operator, the reason of its failure. */
async function jobStatus(client: TranscribeClient, TranscriptionJobName: string, signal: AbortSignal) {
  const command = new GetTranscriptionJobCommand({ TranscriptionJobName })
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const { TranscriptionJob } = await client.send(command, { abortSignal }).catch((error) => {
    throw failureOf(error)
  })
  return {
    status: TranscriptionJob?.TranscriptionJobStatus,
    reason: TranscriptionJob?.FailureReason ?? 'no reason given',
  }
}

const failureOf = (error: unknown) => awsFailure('Transcribe', 'this sound', error)
