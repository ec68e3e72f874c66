/** Camera movements over a still picture: the framings at both ends, and their selection from an animation prompt. */

/** The visible part of a picture: `scale` 1 shows all of it, `x` and `y` (0 to 1) position the window in the rest. */
interface CameraFraming {
  scale: number
  x: number
  y: number
}

export interface CameraMotion {
  from: CameraFraming
  to: CameraFraming
}

export const fullFrame: CameraFraming = { scale: 1, x: 0.5, y: 0.5 }
export const closeFrame: CameraFraming = { scale: 1.14, x: 0.5, y: 0.5 }
export const leftFrame: CameraFraming = { scale: 1.12, x: 0, y: 0.5 }
export const rightFrame: CameraFraming = { scale: 1.12, x: 1, y: 0.5 }
export const staticCamera: CameraMotion = { from: fullFrame, to: fullFrame }

/** The first match wins. */
const motionsOfWords: readonly [RegExp, CameraMotion][] = [
  [/\b(static|still|motionless|hold|holds)\b/i, staticCamera],
  [/\bleft\b/i, { from: rightFrame, to: leftFrame }],
  [/\bright\b/i, { from: leftFrame, to: rightFrame }],
  [/\b(out|away|back|wider)\b/i, { from: closeFrame, to: fullFrame }],
  [/\b(in|into|closer|towards?|zoom)\b/i, { from: fullFrame, to: closeFrame }],
]

/** The camera movement that an animation prompt asks for; undefined if it names none. */
export const motionFromPrompt = (prompt = ''): CameraMotion | undefined =>
  motionsOfWords.find(([pattern]) => pattern.test(prompt))?.[1]
