/** When the elements of a slide enter: in sync with the spoken words. */
import { normaliseWord } from './content.ts'
import type { SlideContext } from './slide-context.ts'
import type { TypesetText } from './typeset.ts'

/**
 * When each of `count` elements enters: with its anchor word, in order; without an anchor, or when the word is not
 * spoken, evenly over the first two thirds of the slide. At most 900 ms before the end, so that it can be read.
 */
export function appearanceTimes({ slide, enterMs }: SlideContext, count: number): number[] {
  const { startMs, endMs, anchors, words } = slide
  const latest = Math.max(enterMs, endMs - 900)
  let spoken = 0
  let before = enterMs
  return Array.from({ length: count }, (_, index) => {
    const anchor = normaliseWord(anchors[index] ?? '')
    const at = anchor === '' ? -1 : words.findIndex((word, i) => i >= spoken && normaliseWord(word.text) === anchor)
    if (at >= 0) spoken = at + 1
    const even = enterMs + ((endMs - startMs) * 0.66 * index) / Math.max(1, count)
    // Text that appears exactly with its word seems late.
    const wanted = at >= 0 ? words[at]!.startMs - 150 : even
    before = Math.min(latest, Math.max(wanted, index === 0 ? enterMs : before + 120))
    return before
  })
}

/**
 * When each line of a text enters: with its first spoken word; if that is not spoken, 250 ms after the previous line.
 */
export function lineTimes({ slide, enterMs }: SlideContext, { lines }: TypesetText): number[] {
  let spoken = 0
  let before = enterMs
  return lines.map(({ words }, index) => {
    const first = normaliseWord(words[0]?.text ?? '')
    const at = slide.words.findIndex((word, i) => i >= spoken && normaliseWord(word.text) === first)
    if (at >= 0) spoken = at + 1
    const wanted = at >= 0 ? slide.words[at]!.startMs - 150 : before + 250
    before = Math.min(Math.max(enterMs, slide.endMs - 900), Math.max(index === 0 ? enterMs : before + 100, wanted))
    return before
  })
}
