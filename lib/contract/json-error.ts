/** Finds where a text stops being JSON. V8 names the position in some of its messages only. Linear, without recursion. */

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'end'

/** Index of the first wrong character; the length of the text if it ends too early, or is valid. */
export function jsonErrorIndex(text: string): number {
  const open: ('{' | '[')[] = []
  const afterValue = (): Expected => (open.length > 0 ? 'commaOrEnd' : 'end')
  let expected: Expected = 'value'
  let at = 0
  while (at < text.length) {
    const char = text[at]!
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') {
      at++
      continue
    }
    const takesValue: boolean = expected === 'value' || expected === 'valueOrEnd'
    const takesKey: boolean = expected === 'key' || expected === 'keyOrEnd'
    if (takesValue && (char === '{' || char === '[')) {
      open.push(char)
      expected = char === '{' ? 'keyOrEnd' : 'valueOrEnd'
      at++
    } else if (char === '"' && (takesValue || takesKey)) {
      const end: StringEnd = stringEnd(text, at)
      if (end.isWrong) return end.at
      at = end.at
      expected = takesKey ? 'colon' : afterValue()
    } else if (char === ':' && expected === 'colon') {
      expected = 'value'
      at++
    } else if (char === ',' && expected === 'commaOrEnd') {
      expected = open.at(-1) === '{' ? 'key' : 'value'
      at++
    } else if (closes(char, open.at(-1)) && ['commaOrEnd', 'keyOrEnd', 'valueOrEnd'].includes(expected)) {
      open.pop()
      expected = afterValue()
      at++
    } else if (takesValue) {
      scalarPattern.lastIndex = at
      if (!scalarPattern.test(text)) return at
      at = scalarPattern.lastIndex
      expected = afterValue()
    } else return at
  }
  return text.length
}

const closes = (char: string, open: string | undefined) =>
  (char === '}' && open === '{') || (char === ']' && open === '[')

const scalarPattern = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

interface StringEnd {
  at: number
  isWrong: boolean
}

/** Where the string that opens at `start` ends, or has its first wrong character. */
function stringEnd(text: string, start: number): StringEnd {
  let at = start + 1
  while (at < text.length) {
    const char = text[at]!
    if (char === '"') return { at: at + 1, isWrong: false }
    if (char < ' ') return { at, isWrong: true }
    if (char === '\\') {
      escapePattern.lastIndex = at
      if (!escapePattern.test(text)) return { at, isWrong: true }
      at = escapePattern.lastIndex
    } else at++
  }
  return { at, isWrong: true }
}

/** `line 2, column 5`, counted from 1. */
export function lineAndColumn(text: string, index: number): string {
  const before = text.slice(0, index)
  const line = before.split('\n').length
  return `line ${line}, column ${index - before.lastIndexOf('\n')}`
}
