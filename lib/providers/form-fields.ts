/** Texts as they may stand in a form that a model filled in. */
import * as v from 'valibot'

export const oneLine = (text: string) => text.replace(/\s+/gu, ' ').trim()
const length = (text: string) => Array.from(text).length
/** Of so many characters at most, and never empty. */
export const text = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.check((given) => length(given) <= lengthMax, `must be at most ${lengthMax} characters long`),
    v.check((given) => given.isWellFormed(), 'must be well-formed text'),
  )
/** The same in one line. */
export const line = (lengthMax: number) => v.pipe(v.string(), v.transform(oneLine), text(lengthMax))
