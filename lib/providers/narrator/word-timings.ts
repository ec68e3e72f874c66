/** Completes the word times of an engine to a span for every token: in order, never overlapping, inside the audio. */
import type { SpokenWord } from './index.ts'
import type { Token } from './tokenise.ts'

export interface TokenSpan {
  startMs: number
  endMs: number
}

/** The longest span of a silent token, inside the pause after the word before it. */
const silentTokenMsMax = 120

/**
 * `heard[i]` is the span of token i, or null where the engine gave none (it joins words such as "of the", or the token
 * is silent). A spoken token without a span shares that of the word before it, by length; a silent one gets part of the
 * pause.
 */
export function fillWordTimings(
  tokens: readonly Token[],
  heard: readonly (TokenSpan | null)[],
  durationMs: number,
): SpokenWord[] {
  const spoken = tokens.flatMap((token, index) => (token.spoken ? [index] : []))
  const spans = new Map<number, TokenSpan>()
  let group: number[] = []
  const close = (span: TokenSpan | null) => {
    for (const [index, part] of shares(group, tokens, span ?? { startMs: 0, endMs: durationMs })) spans.set(index, part)
    group = []
  }
  let current: TokenSpan | null = null
  for (const index of spoken) {
    const span = heard[index] ?? null
    if (span && current) close(current)
    current = span ?? current
    group.push(index)
  }
  close(current)
  return inOrder(tokens, spans, durationMs)
}

function shares(group: readonly number[], tokens: readonly Token[], span: TokenSpan): [number, TokenSpan][] {
  const lengths = group.map((index) => tokens[index]!.spoken.length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const length = Math.max(0, span.endMs - span.startMs)
  let before = 0
  return group.map((index, at) => {
    const startMs = span.startMs + (length * before) / total
    before += lengths[at]!
    return [index, { startMs, endMs: span.startMs + (length * before) / total }]
  })
}

function inOrder(tokens: readonly Token[], spans: ReadonlyMap<number, TokenSpan>, durationMs: number): SpokenWord[] {
  const starts = tokens.map((_, index) => spans.get(index)?.startMs)
  // The earliest start after each token: the end of the pause before it.
  let next = durationMs
  const nextStarts: number[] = []
  for (let index = starts.length - 1; index >= 0; index--) {
    nextStarts[index] = next
    next = Math.min(next, starts[index] ?? next)
  }
  let clockMs = 0
  return tokens.map((token, index) => {
    const span = spans.get(index)
    const limit = Math.max(clockMs, Math.min(durationMs, Math.round(nextStarts[index]!)))
    const startMs = Math.min(limit, Math.max(clockMs, Math.round(span?.startMs ?? clockMs)))
    const endMs = Math.min(limit, Math.max(startMs, Math.round(span?.endMs ?? startMs + silentTokenMsMax)))
    clockMs = endMs
    return { text: token.text, startMs, endMs }
  })
}
