/**
 * Caption pages as one ASS script for libass, on the clock of the whole film. Every word is a line of its own in each of
 * its phases (before, while and after it is spoken), pinned to its measured place: scaling a word never re-flows a page.
 */
import { drawPhase, type Line } from './caption-drawing.ts'
import { placeWords } from './caption-layout.ts'
import { type CaptionStyle, captionStyle } from './caption-style.ts'
import { number, type Phase, type Scene } from './caption-tags.ts'
import { assColour, type Colour } from './colours.ts'
import type { Composition, CompositionPage } from './composition.ts'
import type { Face } from './truetype.ts'

/** `faces`: the theme's font first, then those that stand in for characters it lacks. `bt601`: see colours.ts. */
export function writeSubtitles(
  { width, height, pages, theme }: Pick<Composition, 'width' | 'height' | 'pages' | 'theme'>,
  faces: Face[],
  { bt601 }: { bt601: boolean },
): string {
  const style = captionStyle(theme, { width, height }, bt601)
  const lines = pages.flatMap((page) => drawPage(page, style, faces))
  return `${header(style, faces[0]!)}${lines.map(dialogue).join('')}`
}

function header(style: CaptionStyle, { name, ascent, descent }: Face): string {
  const { fill, stroke, strokePx } = style.resting
  // Opaque here: each line says for itself how translucent its colours are.
  const opaque = (colour: Colour) => `&H00${assColour(colour)}`
  const fields = [
    ...['Cap', name, number(style.fontPx * (ascent + descent))],
    ...[opaque(fill), opaque(fill), opaque(stroke), opaque(style.shadow ?? stroke)],
    ...['0,0,0,0,100,100,0,0,1', number(strokePx), '0,5,0,0,0,1'],
  ]
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${style.size.width}
PlayResY: ${style.size.height}
WrapStyle: 2
ScaledBorderAndShadow: yes
YCbCr Matrix: None

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: ${fields.join(',')}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`
}

function drawPage(page: CompositionPage, style: CaptionStyle, faces: Face[]): Line[] {
  return placeWords(page, style, faces).flatMap((word) => {
    const { startMs, endMs } = word.screen
    const scene: Scene = { word, style, mainFace: faces[0]!, pageStartMs: startMs }
    const phases: Phase[] = [
      { kind: 'before', fromMs: startMs, toMs: word.startMs },
      { kind: 'active', fromMs: word.startMs, toMs: word.endMs },
      { kind: 'after', fromMs: word.endMs, toMs: endMs },
    ]
    // One that is over before the next hundredth is left out, which leaves no gap: the others meet at that hundredth.
    return phases
      .filter(({ fromMs, toMs }) => hundredths(toMs) > hundredths(fromMs))
      .flatMap((phase) => drawPhase(phase, scene))
  })
}

function dialogue({ layer, fromMs, toMs, text }: Line): string {
  return `Dialogue: ${layer},${timestamp(fromMs)},${timestamp(toMs)},Cap,,0,0,0,,${text}\n`
}

/** The clock of ASS. */
const hundredths = (ms: number) => Math.max(0, Math.round(ms / 10))

function timestamp(ms: number): string {
  const total = hundredths(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(total / 360_000)}:${two(Math.floor(total / 6000) % 60)}:${two(Math.floor(total / 100) % 60)}.${two(total % 100)}`
}
