/** A test card for the captions filter: which colours does this ffmpeg draw with? (See `compensateBt601` in colours.ts.) */
import type { Size } from './motion.ts'

export const swatchSize: Size = { width: 64, height: 64 }

/** A script that covers the frame with pure green. */
export const swatchScript = `[Script Info]
ScriptType: v4.00+
PlayResX: ${swatchSize.width}
PlayResY: ${swatchSize.height}

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, BorderStyle, Outline, Shadow, Alignment
Style: Swatch,Montserrat Black,10,&H0000FF00,1,0,0,7

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,0:01:00.00,Swatch,,0,0,0,,{\\pos(0,0)\\p1}m 0 0 l 64 0 64 64 0 64
`

/** A black yuv420p frame to draw it on. */
export function blackSwatch(): Uint8Array {
  const pixels = swatchSize.width * swatchSize.height
  return new Uint8Array((pixels * 3) / 2).fill(16, 0, pixels).fill(128, pixels)
}

/** Reads the drawn frame: pure green has the luma 145 by BT.601 and 173 by BT.709. */
export function isBt601(frame: Uint8Array): boolean {
  const centre = frame[(swatchSize.width * swatchSize.height) / 2 + swatchSize.width / 2] ?? 0
  return centre < 159
}
