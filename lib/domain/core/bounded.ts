/** Schemas of texts, URLs and lists with a bound, for everything that a client sends. */
import * as v from 'valibot'

/** Code points, which JSON Schema's `maxLength` counts as well. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Whether a text has at most so many characters. UTF-16 units are at most two per character, which spares most texts the count. */
export const hasAtMost = (text: string, length: number) =>
  text.length <= length || (text.length <= 2 * length && characterCount(text) <= length)

/** The valibot action of `boundedText`; the OpenAPI document shows its `maxLength`. */
const maxCharacters = (length: number) =>
  Object.assign(
    v.check<string, string>((text) => hasAtMost(text, length), `must be at most ${length} characters long`),
    { maxLength: length },
  )

/** A text of at most `length` characters. */
export const boundedText = (length: number) => v.pipe(v.string(), maxCharacters(length))

/** A text of at most `length` characters that is not blank; white space around it is dropped. */
export const nonBlankText = (length: number) =>
  v.pipe(boundedText(length), v.regex(/\S/, 'must not be empty'), v.trim())

/**
 * The normal form of a URL, which is stored and shown: lower-case scheme and host, punycode, percent-encoding. Its JSON
 * schema is that of the URL.
 */
export const normalUrl = () =>
  Object.assign(
    v.transform((url: string) => new URL(url).href),
    { keepsSchema: true },
  )

/** A list of at most `length` items, counted before any is validated. */
export const boundedList = <Item extends v.GenericSchema>(item: Item, length: number) => {
  const message = `must hold at most ${length} items`
  const isShort = (value: unknown) => !Array.isArray(value) || value.length <= length
  const described = v.pipe(v.array(item), v.maxLength(length))
  return v.pipe(
    Object.assign(v.custom<v.InferInput<Item>[]>(isShort, message), { described }),
    v.array(item),
    v.maxLength(length, message),
  )
}
