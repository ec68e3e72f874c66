/** Finds the JSON object in the text of a language model: between thoughts, fences and prose. */

/** Thoughts in the text; a template may have consumed the opening tag. */
const thoughts = /^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/i

/** Undefined if there is no complete object. `name`: the object may stand alone in a field of this name. */
export function readJsonObject(text: string, name: string): object | undefined {
  const answer = text.replace(thoughts, '')
  for (const candidate of objectsIn(answer)) {
    const value = parsedObject(candidate)
    if (value) return unwrapped(value, name)
  }
  return undefined
}

/** What is complete of an object whose end was cut off: without the value that was being written. */
export function readCutOffObject(text: string, name: string): object | undefined {
  const answer = text.replace(thoughts, '')
  const start = answer.indexOf('{')
  if (start < 0) return undefined
  const { end, closers } = scanObject(answer, start)
  const value = end === undefined ? undefined : parsedObject(answer.slice(start, end) + closers)
  return value && unwrapped(value, name)
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Without a grammar, models wrap the form into its name. */
function unwrapped(value: Record<string, unknown>, name: string): object {
  const [key, inner] = Object.entries(value)[0] ?? []
  const isWrapper = key === name && Object.keys(value).length === 1
  return isWrapper && typeof inner === 'object' && inner !== null ? inner : value
}

/** Texts between braces that belong together, from each opening brace outside of an earlier object. */
function* objectsIn(text: string): Generator<string> {
  for (let start = text.indexOf('{'); start >= 0; ) {
    const { end, closers } = scanObject(text, start)
    const isWhole = end !== undefined && closers === ''
    if (isWhole) yield text.slice(start, end)
    start = text.indexOf('{', isWhole ? end : start + 1)
  }
}

/**
 * From an opening brace to where the object ends, or to its last complete object or list, with the brackets that are
 * still open there. No `end`: nothing in it is complete.
 */
function scanObject(text: string, start: number): { end: number | undefined; closers: string } {
  const open: string[] = []
  let isQuoted = false
  let end: number | undefined
  let closers = ''
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']')
    else if (character === '}' || character === ']') {
      open.pop()
      end = at + 1
      closers = open.toReversed().join('')
      if (open.length === 0) break
    }
  }
  return { end, closers }
}
