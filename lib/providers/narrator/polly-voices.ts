/**
 * The neural voices of Amazon Polly in the deployment's region (DescribeVoices):
 * https://docs.aws.amazon.com/polly/latest/dg/API_DescribeVoices.html (read November 2026)
 */
import type { PollyClient, Voice as PollyVoice } from '@aws-sdk/client-polly'
import { DescribeVoicesCommand } from '@aws-sdk/client-polly'
import { type Voice, voicePrefixes } from '../../domain/videos/voices.ts'
import { awsFailure } from '../aws-failures.ts'
import type { VoiceVendor } from './index.ts'
import { type PollyClientOptions, pollyClient, synthesizeSpeech } from './polly.ts'

/** ISO 639-1 codes of languages that Polly lists under three letters. */
const shorterCodes: Record<string, string> = { arb: 'ar', cmn: 'zh' }
const genders: Record<string, Voice['gender']> = { Female: 'female', Male: 'male' }

export function pollyVoices(options?: PollyClientOptions): VoiceVendor {
  const client = pollyClient(options)
  return {
    name: 'polly',
    list: async () => (await describeVoices(client)).flatMap(voicesOf).toSorted(byRegion),
    speakSample: (voice, sentence) =>
      synthesizeSpeech(client, voice, { OutputFormat: 'mp3', SampleRate: '24000', Text: sentence }),
  }
}

async function describeVoices(client: PollyClient): Promise<PollyVoice[]> {
  const voices: PollyVoice[] = []
  let NextToken: string | undefined
  try {
    do {
      const page = await client.send(new DescribeVoicesCommand({ Engine: 'neural', NextToken }))
      voices.push(...(page.Voices ?? []))
      NextToken = page.NextToken
    } while (NextToken)
  } catch (error) {
    throw awsFailure('Polly', 'the list of its voices', error)
  }
  return voices
}

/** A bilingual voice becomes two voices: the voice of a brief has one language. */
function voicesOf({ Id, Name, Gender, LanguageCode, AdditionalLanguageCodes = [] }: PollyVoice): Voice[] {
  if (!Id || !LanguageCode) return []
  return [LanguageCode, ...AdditionalLanguageCodes].map((code, index) => ({
    id: `${voicePrefixes.polly}${Id}${index > 0 ? `-${code}` : ''}`,
    name: Name ?? Id,
    provider: 'standard',
    language: languageIn(code),
    gender: genders[Gender ?? ''] ?? 'neutral',
    engine: 'polly',
    engineVoice: `${Id}/${code}`,
  }))
}

const languageIn = (code: string) => {
  const language = code.split('-')[0] ?? code
  return shorterCodes[language] ?? language
}

/**
 * The first voice of a language is the default of a brief: one of the language's main region. Then by id: Polly's order
 * may change.
 */
function byRegion(a: Voice, b: Voice): number {
  const rank = ({ language, engineVoice }: Voice) =>
    new Intl.Locale(language).maximize().region === engineVoice.split('-').at(-1) ? 0 : 1
  return rank(a) - rank(b) || (a.id < b.id ? -1 : 1)
}
