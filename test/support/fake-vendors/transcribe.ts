/** Amazon Transcribe as it is documented: https://docs.aws.amazon.com/transcribe/latest/APIReference/API_StartTranscriptionJob.html. */
import * as v from 'valibot'
import type { TimedWord } from '../../../lib/domain/core/timeline-item.ts'
import { type FakeVendor, startFakeVendor, VendorRefusal, type VendorResponse } from './fake-vendor.ts'

const order = v.strictObject({
  TranscriptionJobName: v.pipe(v.string(), v.regex(/^[0-9a-zA-Z._-]{1,200}$/)),
  Media: v.strictObject({ MediaFileUri: v.pipe(v.string(), v.regex(/^s3:\/\/[^/]+\/.+/)) }),
  MediaFormat: v.picklist(['wav', 'mp3', 'mp4', 'flac', 'ogg', 'amr', 'webm', 'm4a']),
  IdentifyLanguage: v.literal(true),
  OutputBucketName: v.string(),
  OutputKey: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9\-_.!*'()/]{1,1024}$/)),
})

export interface FakeTranscribe extends FakeVendor {
  /** What the next jobs hear. */
  words: TimedWord[]
  /** How many polls find a job in progress. */
  pending: number
  /** Why jobs fail, where they do. */
  failure: string | undefined
  /** Names of the jobs that were started: each is paid once. */
  jobs: string[]
  /** Names of jobs that have failed, independent of others. */
  failed: string[]
}

/** `put` is the bucket that results go into. For `AWS_ENDPOINT_URL_TRANSCRIBE`, or the `endpoint` of a client. */
export async function startFakeTranscribe(put: (key: string, body: Buffer) => Promise<void>): Promise<FakeTranscribe> {
  const jobs = new Map<string, { questions: number; key: string }>()
  const vendor = await startFakeVendor(async ({ headers, body }) => {
    if (!/^AWS4-HMAC-SHA256 Credential=.+\/transcribe\/aws4_request/.test(headers.authorization ?? ''))
      throw awsJsonError('UnrecognizedClientException')
    const asked = JSON.parse(body.toString('utf8'))
    if (headers['x-amz-target'] === 'Transcribe.StartTranscriptionJob') return start(asked)
    if (headers['x-amz-target'] === 'Transcribe.GetTranscriptionJob') return look(asked.TranscriptionJobName)
    throw awsJsonError('UnknownOperationException')
  })
  const standIn: FakeTranscribe = Object.assign(vendor, {
    words: [],
    pending: 2,
    failure: undefined,
    jobs: [],
    failed: [],
  })

  function start(asked: unknown): VendorResponse {
    const given = v.safeParse(order, asked)
    if (!given.success) throw awsJsonError('BadRequestException', v.getDotPath(given.issues[0]) ?? 'the whole')
    const { TranscriptionJobName: name, OutputKey: key } = given.output
    if (jobs.has(name)) throw awsJsonError('ConflictException', 'The requested job name already exists')
    jobs.set(name, { questions: 0, key })
    standIn.jobs.push(name)
    return answer({ TranscriptionJob: { TranscriptionJobName: name, TranscriptionJobStatus: 'QUEUED' } })
  }

  async function look(name: string): Promise<VendorResponse> {
    const job = jobs.get(name)
    if (!job) throw awsJsonError('NotFoundException')
    const told = (TranscriptionJobStatus: string, more: object = {}) =>
      answer({ TranscriptionJob: { TranscriptionJobName: name, TranscriptionJobStatus, ...more } })
    if (job.questions++ < standIn.pending) return told('IN_PROGRESS')
    if (standIn.failure || standIn.failed.includes(name)) return told('FAILED', { FailureReason: standIn.failure })
    await put(job.key, Buffer.from(JSON.stringify(resultOf(name, standIn.words))))
    return told('COMPLETED', { LanguageCode: 'en-US' })
  }

  return standIn
}

const answer = (body: object): VendorResponse => ({ headers: { 'content-type': 'application/x-amz-json-1.1' }, body })

/** An error as AWS's JSON protocol writes it: to be thrown, or its `answer` given as a fault. */
export function awsJsonError(name: string, message = name, status = 400): VendorRefusal {
  const refusal = new VendorRefusal(status, { __type: name, Message: message })
  refusal.answer.headers = { 'content-type': 'application/x-amz-json-1.1' }
  return refusal
}

/** The marks of a text are items of their own, without a time. */
function resultOf(jobName: string, words: readonly TimedWord[]) {
  const items = words.flatMap(({ text, startMs, endMs }) => {
    const [, content = text, marks = ''] = /^(.*?)(\p{P}*)$/u.exec(text) ?? []
    const times = { start_time: (startMs / 1000).toFixed(3), end_time: (endMs / 1000).toFixed(3) }
    return [
      { type: 'pronunciation', ...times, alternatives: [{ confidence: '0.99', content }] },
      ...Array.from(marks, (mark) => ({ type: 'punctuation', alternatives: [{ confidence: '0.0', content: mark }] })),
    ]
  })
  const transcripts = [{ transcript: words.map(({ text }) => text).join(' ') }]
  return { jobName, accountId: '000000000000', results: { transcripts, items }, status: 'COMPLETED' }
}
