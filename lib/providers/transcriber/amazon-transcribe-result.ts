/**
 * Parses the result of Amazon Transcribe: https://docs.aws.amazon.com/transcribe/latest/dg/how-input.html#how-output
 * (read November 2026).
 */
import * as v from 'valibot'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { OrderFailed } from '../vendor-orders.ts'

const seconds = v.pipe(v.string(), v.decimal(), v.transform(Number))
const alternatives = v.pipe(v.array(v.object({ content: v.string() })), v.minLength(1))
const item = v.variant('type', [
  v.object({ type: v.literal('pronunciation'), start_time: seconds, end_time: seconds, alternatives }),
  v.object({ type: v.literal('punctuation'), alternatives }),
])
const result = v.object({ results: v.object({ items: v.array(item) }) })

/**
 * Every word once, in order; punctuation is appended to the word before it. An invalid result is a failed order: a stored
 * one does not change.
 */
export function parseTranscribeResult(document: Uint8Array): TimedWord[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), result), Buffer.from(document).toString('utf8'))
  if (!parsed.success) throw new OrderFailed('Transcribe returned an unexpected result.')
  const words: TimedWord[] = []
  for (const { alternatives, ...item } of parsed.output.results.items) {
    const last = words.at(-1)
    const text = alternatives[0]!.content.trim()
    if (item.type === 'punctuation') {
      if (last) last.text += text
    } else if (text) {
      const startMs = Math.max(Math.round(item.start_time * 1000), last?.endMs ?? 0)
      words.push({ text, startMs, endMs: Math.max(startMs, Math.round(item.end_time * 1000)) })
    }
  }
  return words
}
