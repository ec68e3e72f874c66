/** Schemas of the fields that a model fills in. Their messages are read by the model. */
import * as v from 'valibot'

export const toOneLine = (text: string) => text.replace(/\s+/gu, ' ').trim()
const length = (text: string) => Array.from(text).length
/** Not empty, at most `lengthMax` characters (code points). */
export const boundedText = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.check((given) => length(given) <= lengthMax, `must be at most ${lengthMax} characters long`),
    v.check((given) => given.isWellFormed(), 'must be well-formed text'),
  )
/** Like `boundedText`, with white space folded into one line. */
export const boundedLine = (lengthMax: number) => v.pipe(v.string(), v.transform(toOneLine), boundedText(lengthMax))
/** Drops blank fields: models fill in optional fields with nothing instead of leaving them out. */
export const withoutBlanks = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => !isBlank(value)))),
)

export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && !value.trim()) ||
  (Array.isArray(value) && value.every(isBlank))

/** A list with one value per schema, null where the value is not valid. */
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
