/** Schemas of texts, URLs and lists with a bound, for everything that a client sends and reads. */
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

/** The ids that clients see and choose; those that we make have 30 characters. */
export const idPattern = /^[A-Za-z0-9_]{1,64}$/

/** Of a URL that clients, platforms and vendors give. */
export const urlLengthMax = 2_048
/** Of a name, such as that of a voice or of a presenter. */
export const nameLengthMax = 255

/** Whether a text of a vendor or platform is an http(s) URL that clients may be shown. */
export const isWebUrl = (text: string): boolean =>
  text.length <= urlLengthMax && /^https?:$/.test(URL.parse(text)?.protocol ?? '')

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
 * The normal form of a URL, which is stored and shown: lower-case scheme and host, punycode, percent-encoding, which makes
 * it longer. Its JSON schema is that of the URL.
 */
export const normalUrl = () =>
  Object.assign(
    v.rawTransform<string, string>(({ dataset: { value }, addIssue, NEVER }) => {
      const { href } = new URL(value)
      if (hasAtMost(href, urlLengthMax)) return href
      addIssue({ message: `must be at most ${urlLengthMax} characters long in its percent-encoded form` })
      return NEVER
    }),
    { keepsSchema: true },
  )

/** A list of a response, with at most `length` items. */
export const listOf = <Item extends v.GenericSchema>(item: Item, length: number) =>
  v.pipe(v.array(item), v.maxLength(length))

/** A list of a request, with at most `length` items, which are counted before any is validated. */
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
