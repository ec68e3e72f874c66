/** How a camera moves over a still picture: the framings that it goes between, and what words ask for. */

/** The visible part of a picture: `scale` 1 shows all of it, `x` and `y` (0 to 1) place the window in what is left over. */
export interface Framing {
  scale: number
  x: number
  y: number
}

export interface CameraMotion {
  from: Framing
  to: Framing
}

export const whole: Framing = { scale: 1, x: 0.5, y: 0.5 }
export const near: Framing = { scale: 1.14, x: 0.5, y: 0.5 }
export const left: Framing = { scale: 1.12, x: 0, y: 0.5 }
export const right: Framing = { scale: 1.12, x: 1, y: 0.5 }
export const unmoved: CameraMotion = { from: whole, to: whole }

/** The first line that fits wins. */
const motionsOfWords: readonly [RegExp, CameraMotion][] = [
  [/\b(static|still|motionless|hold|holds)\b/i, unmoved],
  [/\bleft\b/i, { from: right, to: left }],
  [/\bright\b/i, { from: left, to: right }],
  [/\b(out|away|back|wider)\b/i, { from: near, to: whole }],
  [/\b(in|into|closer|towards?|zoom)\b/i, { from: whole, to: near }],
]

/** What the words of an animation prompt ask of the camera; undefined where they say nothing of it. */
export const motionNamed = (words = ''): CameraMotion | undefined =>
  motionsOfWords.find(([pattern]) => pattern.test(words))?.[1]
