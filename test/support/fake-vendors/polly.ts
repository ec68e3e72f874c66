/** Amazon Polly as it is documented: https://docs.aws.amazon.com/polly/latest/dg/API_SynthesizeSpeech.html. It speaks in tones. */
import * as v from 'valibot'
import { restJsonError } from './bedrock.ts'
import { type FakeVendor, type RecordedRequest, startFakeVendor, type VendorResponse } from './fake-vendor.ts'
import { pcmBytes, silentMp3, synthesizeTones } from './tones.ts'

export const fakePollyVoices = [
  { Id: 'Amy', Name: 'Amy', Gender: 'Female', LanguageCode: 'en-GB', LanguageName: 'British English' },
  { Id: 'Joanna', Name: 'Joanna', Gender: 'Female', LanguageCode: 'en-US', LanguageName: 'US English' },
  { Id: 'Matthew', Name: 'Matthew', Gender: 'Male', LanguageCode: 'en-US', LanguageName: 'US English' },
  { Id: 'Lucia', Name: 'Lucía', Gender: 'Female', LanguageCode: 'es-ES', LanguageName: 'Castilian Spanish' },
  { Id: 'Zhiyu', Name: 'Zhiyu', Gender: 'Female', LanguageCode: 'cmn-CN', LanguageName: 'Chinese Mandarin' },
  {
    ...{ Id: 'Kajal', Name: 'Kajal', Gender: 'Female', LanguageCode: 'en-IN', LanguageName: 'Indian English' },
    AdditionalLanguageCodes: ['hi-IN'],
  },
].map((voice) => ({ ...voice, SupportedEngines: ['neural', 'standard'] }))

const order = v.strictObject({
  Engine: v.literal('neural'),
  LanguageCode: v.string(),
  OutputFormat: v.picklist(['json', 'mp3', 'pcm']),
  SampleRate: v.optional(v.string()),
  SpeechMarkTypes: v.optional(v.array(v.picklist(['word', 'sentence']))),
  Text: v.string(),
  TextType: v.picklist(['text']),
  VoiceId: v.string(),
})
type Order = v.InferOutput<typeof order>

const billedMax = 3_000
const pageLength = 4

/** For `AWS_ENDPOINT_URL_POLLY`, or the `endpoint` of a client that speaks HTTP/1. */
export const startFakePolly = (): Promise<FakeVendor> =>
  startFakeVendor((call) => {
    if (!/^AWS4-HMAC-SHA256 Credential=.+\/polly\/aws4_request/.test(call.headers.authorization ?? ''))
      throw restJsonError(403, 'MissingAuthenticationTokenException')
    if (call.method === 'GET' && call.path === '/v1/voices') return describe(call)
    if (call.method === 'POST' && call.path === '/v1/speech') return synthesize(call)
    throw restJsonError(404, 'UnknownOperationException')
  })

/** The orders for sound and for marks, each of which is paid. */
export const billedSpeechRequests = ({ calls }: FakeVendor): RecordedRequest[] =>
  calls.filter(({ path }) => path === '/v1/speech')

function describe({ query }: RecordedRequest): VendorResponse {
  if (query.get('Engine') !== 'neural') throw restJsonError(400, 'ValidationException', 'Engine')
  const from = Number(query.get('NextToken') ?? 0)
  const next = from + pageLength
  const NextToken = next < fakePollyVoices.length ? `${next}` : undefined
  return { body: { Voices: fakePollyVoices.slice(from, next), NextToken } }
}

function synthesize({ body }: RecordedRequest): VendorResponse {
  const given = v.safeParse(order, JSON.parse(body.toString('utf8')))
  if (!given.success) throw restJsonError(400, 'ValidationException', v.getDotPath(given.issues[0]) ?? 'the whole')
  refuse(given.output)
  const { OutputFormat, Text } = given.output
  if (OutputFormat === 'mp3') return { headers: { 'content-type': 'audio/mpeg' }, body: silentMp3() }
  const { samples, tones } = synthesizeTones(Text, 16_000)
  if (OutputFormat === 'pcm') return { headers: { 'content-type': 'audio/pcm' }, body: pcmBytes(samples) }
  const marks = tones.map(({ text, start, end, startMs }) => ({
    time: startMs,
    type: 'word',
    start: Buffer.byteLength(Text.slice(0, start)),
    end: Buffer.byteLength(Text.slice(0, end)),
    value: text,
  }))
  const lines = marks.map((mark) => `${JSON.stringify(mark)}\n`).join('')
  return { headers: { 'content-type': 'application/x-json-stream' }, body: lines }
}

function refuse({ OutputFormat, SampleRate, SpeechMarkTypes, Text, VoiceId, LanguageCode }: Order): void {
  const voice = fakePollyVoices.find(({ Id }) => Id === VoiceId)
  if (!voice) throw restJsonError(400, 'ValidationException', `voiceId ${VoiceId}`)
  const speaks = [voice.LanguageCode, ...('AdditionalLanguageCodes' in voice ? voice.AdditionalLanguageCodes! : [])]
  if (!speaks.includes(LanguageCode)) throw restJsonError(400, 'LanguageNotSupportedException')
  if (Text.length > billedMax) throw restJsonError(400, 'TextLengthExceededException')
  if ((OutputFormat === 'json') !== Boolean(SpeechMarkTypes))
    throw restJsonError(400, 'MarksNotSupportedForFormatException')
  const rates = { pcm: ['8000', '16000'], mp3: ['8000', '16000', '22050', '24000'], json: [] }[OutputFormat]
  if (SampleRate && !(rates as string[]).includes(SampleRate)) throw restJsonError(400, 'InvalidSampleRateException')
}
