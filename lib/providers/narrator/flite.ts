/** Narrates English with flite. Word times come from the engine's own phone trace, not from a guess about speed. */

import { ProviderRejected } from '../../domain/core/failures.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { runEngine } from './engine-process.ts'
import type { Narrator } from './index.ts'
import { pcmSamples } from './pcm.ts'
import { alignWords, isSilentPhone, type Phone, parseTrace } from './phones.ts'
import { groupSentences, lineOf, narrationOf, type Sentence, type SpokenSentence } from './sentences.ts'
import { tokenise } from './tokenise.ts'

/** Stretches each voice to about 175 words a minute, rests included (measured on plain prose). */
const stretches: Record<string, number> = { slt: 1.1, rms: 0.95, awb: 1.08 }
/** Kept before the first and after the last phone of a sentence, so that no breath or release is cut off. */
const marginMs = 30

interface Facts {
  sentences: { trace: string; samples: number }[]
  wordsTrace: string
  sampleRate: number
}

export const fliteNarrator: Pick<Narrator, 'narrate'> = {
  async narrate(text, voice) {
    const tokens = tokenise(text, 'en').map((token) => ({ ...token, spoken: inAscii(token.spoken) }))
    const sentences = groupSentences(tokens)
    if (sentences.length === 0) throw new ProviderRejected('The script holds nothing that an English voice can speak.')
    const { facts, audio } = await runEngine<Facts>(
      new URL('./flite-process.ts', import.meta.url),
      requestFor(sentences, voice),
    )
    const alone = parseTrace(facts.wordsTrace).map(withoutSilence)
    const words = sentences.flatMap((sentence) => sentence.tokens)
    if (alone.length !== words.length) throw new Error(`flite made ${alone.length} words of ${words.length}`)
    const samples = pcmSamples(audio)
    let from = 0
    let word = 0
    const spoken = sentences.map(({ tokens }, index) => {
      const sentence = facts.sentences[index]!
      const piece = samples.subarray(from, from + sentence.samples)
      const wanted = alone.slice(word, word + tokens.length)
      from += sentence.samples
      word += tokens.length
      return cut(piece, facts.sampleRate, endToEnd(parseTrace(sentence.trace)), wanted)
    })
    return narrationOf(tokens, sentences, spoken, facts.sampleRate)
  },
}

/** flite ends an utterance at each blank line: the words are spoken one by one. */
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
  }
}

const withoutSilence = (utterance: readonly Phone[]) => utterance.filter((phone) => !isSilentPhone(phone))

/** flite may still split a sentence; the times of each utterance begin at zero again. */
function endToEnd(utterances: readonly Phone[][]): Phone[] {
  let offsetMs = 0
  return utterances.flatMap((utterance) => {
    const fromMs = offsetMs
    offsetMs += utterance.at(-1)?.endMs ?? 0
    return utterance.map(({ name, startMs, endMs }) => ({ name, startMs: startMs + fromMs, endMs: endMs + fromMs }))
  })
}

/** Drops the engine's own silence round a sentence and finds its words. */
function cut(
  samples: Int16Array,
  sampleRate: number,
  heard: readonly Phone[],
  alone: readonly Phone[][],
): SpokenSentence {
  const sampleAt = (ms: number) => Math.round((ms * sampleRate) / 1000)
  const voiced = withoutSilence(heard)
  const fromMs = Math.max(0, (voiced[0]?.startMs ?? 0) - marginMs)
  const endMs = (voiced.at(-1)?.endMs ?? 0) + marginMs
  const spans = alignWords(alone, voiced)
  return {
    samples: samples.subarray(sampleAt(fromMs), sampleAt(endMs)),
    spans: spans.map((span) => span && { startMs: span.startMs - fromMs, endMs: span.endMs - fromMs }),
  }
}

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'th', þ: 'th', ı: 'i' }

/** flite drops every byte outside ASCII ("café" becomes "caf"), so accents are folded. */
function inAscii(spoken: string): string {
  const worded = spoken.replace(/[ßæœøłđðþı]/giu, (letter) => letters[letter.toLowerCase()] ?? letter)
  const folded = worded
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /[a-z0-9%+=]/i.test(folded) ? folded : ''
}
