/** What Amazon Transcribe puts into the bucket: https://docs.aws.amazon.com/transcribe/latest/dg/how-input.html#how-output. */
import * as v from 'valibot'
import { ProviderRejected } from '../../domain/core/failures.ts'
import type { TimedWord } from '../../domain/core/timeline-item.ts'

const seconds = v.pipe(v.string(), v.decimal(), v.transform(Number))
const alternatives = v.pipe(v.array(v.object({ content: v.string() })), v.minLength(1))
const item = v.variant('type', [
  v.object({ type: v.literal('pronunciation'), start_time: seconds, end_time: seconds, alternatives }),
  v.object({ type: v.literal('punctuation'), alternatives }),
])
const result = v.object({ results: v.object({ items: v.array(item) }) })

/** Every word once, in order; a mark belongs to the word before it. Asking again would give the same, so what is not a result is refused. */
export function parseTranscribeResult(document: Uint8Array): TimedWord[] {
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), result), Buffer.from(document).toString('utf8'))
  if (!given.success) throw new ProviderRejected('Transcribe answers otherwise than documented.')
  const words: TimedWord[] = []
  for (const { alternatives, ...heard } of given.output.results.items) {
    const last = words.at(-1)
    const text = alternatives[0]!.content.trim()
    if (heard.type === 'punctuation') {
      if (last) last.text += text
    } else if (text) {
      const startMs = Math.max(Math.round(heard.start_time * 1000), last?.endMs ?? 0)
      words.push({ text, startMs, endMs: Math.max(startMs, Math.round(heard.end_time * 1000)) })
    }
  }
  return words
}
