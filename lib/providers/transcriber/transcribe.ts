/**
 * Has Amazon Transcribe write down what is said in a file. A job is named after the sound that it is about: whoever starts it again
 * meets the first one, which is paid once. Where the words are known already, or nothing is heard, nothing is bought.
 */
import type { TranscribeClientConfig } from '@aws-sdk/client-transcribe'
import {
  ConflictException,
  GetTranscriptionJobCommand,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { transcriberIds } from '../../domain/source.ts'
import { awsFailure } from '../aws.ts'
import { ProviderRejected } from '../failures.ts'
import { StillMaking } from '../orders.ts'
import { builtInTranscriber } from './built-in.ts'
import type { Transcriber } from './index.ts'
import { wordsIn } from './transcribe-result.ts'

export interface TranscribePlace extends Pick<TranscribeClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /** Where the sounds lie, and where Transcribe puts what it heard: it acts in the name of whoever asks. */
  bucket: string
  read: (key: string) => Promise<Uint8Array>
  /** Waits between two questions. Throws where the signal says that nobody waits any longer. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** Half an hour of speech takes some minutes. A task that gives up is started again, and joins the job. */
const questionsMax = 120
const waitMs = 5_000

export function transcribe({ bucket, read, wait, ...account }: TranscribePlace): Transcriber {
  const requestHandler = new NodeHttpHandler({
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    throwOnRequestTimeout: true,
  })
  const client = new TranscribeClient({ ...account, maxAttempts: 3, requestHandler })
  return {
    id: transcriberIds.transcribe,
    async transcribe(recording) {
      const known = await builtInTranscriber.transcribe(recording)
      if (known.words.length > 0 || known.passages.length === 0) return known
      const { soundKey, place } = recording
      const name = `reelsmith-${soundKey.replace(/[^0-9a-zA-Z._-]/g, '-')}`.slice(-200)
      const resultKey = soundKey.replace(/\.wav$/, '.transcript.json')
      await start(client, { name, sound: `s3://${bucket}/${soundKey}`, bucket, resultKey })
      for (let question = 0; question < questionsMax; question++) {
        if (await isDone(client, name)) return { ...known, words: wordsIn(await read(resultKey)) }
        await wait(waitMs, place.signal)
      }
      throw new StillMaking('Transcribe is still listening.')
    },
  }
}

interface Job {
  name: string
  sound: string
  bucket: string
  resultKey: string
}

/** Nobody knows what is spoken in a file that came. A name that is taken is that of the same job: its sound never changes. */
async function start(client: TranscribeClient, { name, sound, bucket, resultKey }: Job): Promise<void> {
  const command = new StartTranscriptionJobCommand({
    TranscriptionJobName: name,
    Media: { MediaFileUri: sound },
    MediaFormat: 'wav',
    IdentifyLanguage: true,
    OutputBucketName: bucket,
    OutputKey: resultKey,
  })
  try {
    await client.send(command)
  } catch (error) {
    if (!(error instanceof ConflictException)) throw awsFailure('Transcribe', 'this sound', error)
  }
}

async function isDone(client: TranscribeClient, TranscriptionJobName: string): Promise<boolean> {
  const { TranscriptionJob } = await client
    .send(new GetTranscriptionJobCommand({ TranscriptionJobName }))
    .catch((error) => {
      throw awsFailure('Transcribe', 'this sound', error)
    })
  if (TranscriptionJob?.TranscriptionJobStatus === 'FAILED')
    throw new ProviderRejected(`Transcribe cannot tell what is said: ${TranscriptionJob.FailureReason ?? 'no reason'}.`)
  return TranscriptionJob?.TranscriptionJobStatus === 'COMPLETED'
}
