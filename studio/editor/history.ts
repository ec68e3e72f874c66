/** Undo and redo over immutable states. Edits of one gesture (typing, dragging) become one step. */

/** Edits with the same gesture within this time are one step. */
const gestureMs = 1_000

export interface History<State> {
  readonly past: readonly State[]
  readonly present: State
  readonly future: readonly State[]
  readonly gesture?: { name: string; at: number }
}

const stepsMax = 500

export const newHistory = <State>(present: State): History<State> => ({ past: [], present, future: [] })

/** `gesture`: a name such as `word/cap_1`, if the edit may continue the one before. */
export function record<State>(
  { past, present, gesture: before }: History<State>,
  next: State,
  gesture: string | undefined,
  at: number,
): History<State> {
  const continues = gesture !== undefined && before?.name === gesture && at - before.at < gestureMs
  return {
    past: continues ? past : [...past, present].slice(-stepsMax),
    present: next,
    future: [],
    ...(gesture !== undefined && { gesture: { name: gesture, at } }),
  }
}

export function undo<State>({ past, present, future }: History<State>): History<State> {
  const previous = past.at(-1)
  return previous === undefined
    ? { past, present, future }
    : { past: past.slice(0, -1), present: previous, future: [present, ...future] }
}

export function redo<State>({ past, present, future }: History<State>): History<State> {
  const [next] = future
  return next === undefined
    ? { past, present, future }
    : { past: [...past, present], present: next, future: future.slice(1) }
}
