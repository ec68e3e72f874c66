/** English narrator by flite. Word times come from the phone trace of the engine, not from an estimate of speed. */
import { InputRejected } from '../../domain/core/failures.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { runEngine } from './engine-process.ts'
import type { Narrator } from './index.ts'
import { concatSamples, pcmSamples, silence } from './pcm.ts'
import { alignWords, isSilentPhone, type Phone, parseTrace } from './phones.ts'
import { groupSentences, innerRestMs, lineOf, narrationOf, type Sentence, type SpokenSentence } from './sentences.ts'
import { type Token, tokenise } from './tokenise.ts'

/** Duration stretch per voice, for about 175 words a minute with pauses (measured on plain prose). */
const stretches: Record<string, number> = { slt: 1.1, rms: 0.95, awb: 1.08 }
/**
 * flite's target for the deviation of the pitch. `bench/voice.ts` measures 2.3 to 3 semitones with it, as in lively
 * speech, instead of 1.1 (slt) and 1.7 (awb). The voice rms has 2.2 and ignores the setting.
 */
const pitchDeviations: Record<string, number> = { slt: 70, awb: 45 }
/** Kept around the phones of a sentence, so that no breath or release is cut off. */
const marginMs = 30
/** Rest between the groups of a telephone number, inside a word of the script. */
const groupRestMs = 180

interface Facts {
  sentences: { trace: string; samples: number }[]
  wordsTrace: string
  sampleRate: number
}

export const fliteNarrator: Pick<Narrator, 'narrate'> = {
  async narrate(text, voice) {
    const tokens = tokenise(text, 'en').map((token) => ({ ...token, spoken: inAscii(token.spoken) }))
    const sentences = groupSentences(tokens)
    if (sentences.length === 0) throw new InputRejected('The script contains nothing that an English voice can speak.')
    const { facts, audio } = await runEngine<Facts>(
      new URL('./flite-process.ts', import.meta.url),
      requestFor(sentences, voice),
    )
    const wordPhones = parseTrace(facts.wordsTrace).map(withoutSilence)
    const words = sentences.flatMap((sentence) => sentence.tokens)
    if (wordPhones.length !== words.length)
      throw new Error(`flite returned ${wordPhones.length} words instead of ${words.length}`)
    const samples = pcmSamples(audio)
    let from = 0
    let word = 0
    const spoken = sentences.map(({ tokens }, index) => {
      const sentence = facts.sentences[index]!
      const piece = samples.subarray(from, from + sentence.samples)
      const expected = wordPhones.slice(word, word + tokens.length)
      from += sentence.samples
      word += tokens.length
      return cut(piece, facts.sampleRate, concatUtterances(parseTrace(sentence.trace)), tokens, expected)
    })
    return narrationOf(tokens, sentences, spoken, facts.sampleRate, marginMs)
  },
}

/** Blank lines end an utterance: `words` is spoken word by word. */
function requestFor(sentences: readonly Sentence[], voice: Voice) {
  const words = sentences.flatMap((sentence) => sentence.tokens.map((token) => token.spoken))
  return {
    sentences: sentences.map(
      (sentence) => `${lineOf(sentence)}

`,
    ),
    words: `${words.join('\n\n')}\n\n`,
    voice: voice.engineVoice,
    stretch: stretches[voice.engineVoice] ?? 1,
    pitchDeviation: pitchDeviations[voice.engineVoice],
  }
}

const withoutSilence = (utterance: readonly Phone[]) => utterance.filter((phone) => !isSilentPhone(phone))

/** flite may split a sentence into utterances, whose times begin at zero each. */
function concatUtterances(utterances: readonly Phone[][]): Phone[] {
  let offsetMs = 0
  return utterances.flatMap((utterance) => {
    const fromMs = offsetMs
    offsetMs += utterance.at(-1)?.endMs ?? 0
    return utterance.map(({ name, startMs, endMs }) => ({ name, startMs: startMs + fromMs, endMs: endMs + fromMs }))
  })
}

/** Trims the engine's silence around a sentence, aligns its words, and gives each pause the length of its mark. */
function cut(
  samples: Int16Array,
  sampleRate: number,
  heard: readonly Phone[],
  tokens: readonly Token[],
  wordPhones: readonly Phone[][],
): SpokenSentence {
  const voiced = withoutSilence(heard)
  const fromMs = Math.max(0, (voiced[0]?.startMs ?? 0) - marginMs)
  const endMs = (voiced.at(-1)?.endMs ?? 0) + marginMs
  const spans = alignWords(wordPhones, voiced)
  const rests = heard.filter(isSilentPhone).flatMap((pause) => {
    const isInside = spans.some((span) => span && span.startMs < pause.startMs && span.endMs > pause.endMs)
    const token = tokens[spans.findLastIndex((span) => span && span.endMs <= pause.startMs + 1)]
    const restMs = isInside ? groupRestMs : token ? innerRestMs(token) : null
    if (restMs === null || pause.startMs <= fromMs || pause.endMs >= endMs) return []
    return [{ ...pause, changeMs: Math.max(restMs, 2 * marginMs) - (pause.endMs - pause.startMs) }]
  })
  const sampleAt = (ms: number) => Math.round((ms * sampleRate) / 1000)
  const pieces: Int16Array[] = []
  let at = fromMs
  for (const { startMs, endMs, changeMs } of rests) {
    // The middle of a pause is silent: samples are added or left out there.
    const middleMs = (startMs + endMs) / 2
    pieces.push(samples.subarray(sampleAt(at), sampleAt(middleMs + Math.min(0, changeMs) / 2)))
    pieces.push(silence(sampleRate, Math.max(0, changeMs)))
    at = middleMs - Math.min(0, changeMs) / 2
  }
  pieces.push(samples.subarray(sampleAt(at), sampleAt(endMs)))
  const shiftMs = (ms: number) =>
    rests.reduce((sum, rest) => sum + (rest.endMs <= ms + 1 ? rest.changeMs : 0), 0) - fromMs
  return {
    samples: concatSamples(pieces),
    spans: spans.map(
      (span) => span && { startMs: span.startMs + shiftMs(span.startMs), endMs: span.endMs + shiftMs(span.endMs) },
    ),
  }
}

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'th', þ: 'th', ı: 'i' }

/** Folds accents: flite drops every byte outside ASCII ("café" becomes "caf"). */
function inAscii(spoken: string): string {
  const worded = spoken.replace(/[ßæœøłđðþı]/giu, (letter) => letters[letter.toLowerCase()] ?? letter)
  const folded = worded
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /[a-z0-9%+=]/i.test(folded) ? folded : ''
}
