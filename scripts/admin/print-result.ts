/** Formats the result of an admin command for a terminal: a record as rows of `key: value`, a list as one table. */

type Fields = Record<string, unknown>

/** `empty` is the sentence for an empty list. */
export function formatResult(result: object | object[], empty = 'Nothing found.'): string {
  if (!Array.isArray(result)) return recordText(result)
  return result.length === 0 ? empty : tableText(result)
}

/** The rows of a record in the order of its fields; lists of records follow as tables under their names. */
function recordText(record: object): string {
  const fields = flatFields(record)
  const rows = fields.filter(([, value]) => !isTable(value)).map(([name, value]) => `${name}: ${textOf(value)}`)
  const tables = fields.flatMap(([name, value]) => (isTable(value) ? ['', `${name}:`, tableText(value)] : []))
  return [...rows, ...tables].join('\n')
}

/** A nested record as `name.field`. */
const flatFields = (record: object, prefix = ''): [name: string, value: unknown][] =>
  Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined) return []
    return isRecord(value) && Object.keys(value).length > 0
      ? flatFields(value, `${prefix}${name}.`)
      : [[prefix + name, value]]
  })

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set)

const isTable = (value: unknown): value is object[] => Array.isArray(value) && value.length > 0 && value.every(isRecord)

/** The columns in the order in which the rows first have them, aligned by spaces. Of a list of records: their number. */
function tableText(records: readonly object[]): string {
  const rows = records.map((record) => new Map(flatFields(record).map(([name, value]) => [name, textOf(value)])))
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => (row.get(name) ?? '-').length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd()
  return [line(columns), ...rows.map((row) => line(columns.map((name) => row.get(name) ?? '-')))].join('\n')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (isTable(value)) return String(value.length)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '-' : JSON.stringify(value)
  // Texts of clients must not move the cursor of the terminal or break a row.
  return String(value).replaceAll(/\p{Cc}+/gu, ' ')
}
