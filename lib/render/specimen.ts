/** A specimen of captions: what libass and the libraries under it make of it tells one build of them from another. */
import type { Size } from './motion.ts'

export const specimenSize: Size = { width: 128, height: 64 }

/** `fontName` is the full name of the font that it is set in. */
export const specimenScript = (fontName: string): string => `[Script Info]
ScriptType: v4.00+
PlayResX: ${specimenSize.width}
PlayResY: ${specimenSize.height}

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment
Style: Specimen,${fontName},44,&H0008E539,&H00000000,&H80FFFFFF,1,2,3,5

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,0:01:00.00,Specimen,,0,0,0,,{\\pos(64,32)\\fscx106}Rég&3
`

/** A grey yuv420p frame to draw it on. */
export const specimenGround = (): Uint8Array =>
  new Uint8Array((specimenSize.width * specimenSize.height * 3) / 2).fill(128)
