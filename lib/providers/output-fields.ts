/** Texts as they may stand in a form that a model filled in. */
import * as v from 'valibot'

export const toOneLine = (text: string) => text.replace(/\s+/gu, ' ').trim()
const length = (text: string) => Array.from(text).length
/** Of so many characters at most, and never empty. */
export const boundedText = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.check((given) => length(given) <= lengthMax, `must be at most ${lengthMax} characters long`),
    v.check((given) => given.isWellFormed(), 'must be well-formed text'),
  )
/** The same in one line. */
export const boundedLine = (lengthMax: number) => v.pipe(v.string(), v.transform(toOneLine), boundedText(lengthMax))
/** An object without the fields that a model means to leave out: it likes to fill them in with nothing. */
export const withoutBlanks = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => !isBlank(value)))),
)

export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && !value.trim()) ||
  (Array.isArray(value) && value.every(isBlank))

/** A list with what is given for each schema in its place, and null where that cannot be used. */
export const validOrNull = <Schema extends v.GenericSchema>(schemas: readonly Schema[]) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((given) =>
      schemas.map((schema, index): v.InferOutput<Schema> | null => {
        const { success, output } = v.safeParse(schema, given[index])
        return success ? output : null
      }),
    ),
  )
