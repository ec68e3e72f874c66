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
    const end = endOfObject(text, start)
    if (end !== undefined) yield text.slice(start, end)
    start = text.indexOf('{', end ?? start + 1)
  }
}

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}
