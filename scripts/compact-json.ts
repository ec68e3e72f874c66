/** JSON for generated files: a value that fits on a line stays on one, so that a diff shows one statement a line. */

const widthMax = 160

/** Two spaces a level. Objects and arrays are broken up if their line would be longer than 160 characters. */
export function compactJson(value: unknown, indent = '', keyLength = 0): string {
  const line = oneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + keyLength + line.length <= widthMax) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = Array.isArray(value)
    ? value.map((member) => compactJson(member, inner))
    : membersOf(value).map(([key, member]) => key + compactJson(member, inner, key.length))
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = membersOf(value).map(([key, member]) => key + oneLine(member))
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const membersOf = (value: object): [key: string, member: unknown][] =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => [`${JSON.stringify(name)}: `, member])
