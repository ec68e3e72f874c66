/** Records and lists as text for people, within the width of a terminal. */

/** Titles and messages may come from strangers: no control character reaches the terminal. @param {string} text */
export const safeText = (text) => String(text).replace(/\p{C}/gu, (character) => (character === '\n' ? '\n' : ' '))

/** A list of records is a table, a record has a line for each field. @param {unknown} value @param {number} width */
export function humanText(value, width) {
  const page = /** @type {any} */ (value)
  if (Array.isArray(page?.data) && page.paging?.total !== undefined) {
    const shown = page.paging.offset + page.data.length
    const more = shown < page.paging.total ? `; the next page: --offset ${shown}, all: --all` : ''
    return `${tableText(page.data, width)}\n${shown} of ${page.paging.total}${more}`
  }
  return Array.isArray(value) ? tableText(value, width) : recordText(value, '', width)
}

/** @param {unknown} value @param {string} indent @param {number} width @returns {string} */
function recordText(value, indent, width) {
  if (typeof value !== 'object' || value === null) return indent + scalarText(value)
  const entries = Object.entries(value)
  const names = Math.max(0, ...entries.filter(([, field]) => !isNested(field)).map(([name]) => name.length))
  const inner = `${indent}  `
  const lines = entries.map(([name, field]) => {
    if (!isNested(field)) return `${indent}${name.padEnd(names)}  ${scalarText(field)}`
    return `${indent}${name}\n${Array.isArray(field) ? listText(field, inner, width) : recordText(field, inner, width)}`
  })
  return lines.join('\n')
}

/** Flat records are a table. @param {unknown[]} items @param {string} indent @param {number} width */
function listText(items, indent, width) {
  const isFlat = items.every((item) => isNested(item) && !Object.values(Object(item)).some(isNested))
  if (isFlat) return tableText(items, width - indent.length).replaceAll(/^/gm, indent)
  return items.map((item) => `${indent}- ${recordText(item, `${indent}  `, width).trimStart()}`).join('\n')
}

/** @param {unknown} value */
const isNested = (value) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0 && !isScalarList(value)

/** @param {unknown} value */
const isScalarList = (value) => Array.isArray(value) && value.every((item) => typeof item !== 'object')

/** @param {unknown} value */
function scalarText(value) {
  if (isScalarList(value)) return safeText(/** @type {unknown[]} */ (value).join(', ')) || '-'
  if (value === null || typeof value === 'object') return '-'
  return safeText(String(value))
}

/** The columns that fit: the fields without objects, in their order. @param {any[]} records @param {number} width */
function tableText(records, width) {
  if (records.length === 0) return 'Nothing.'
  const names = Object.keys(records[0]).filter((name) => records.every((record) => !isNested(record[name])))
  const columns = names.map((name) => {
    const cells = records.map((record) => clip(scalarText(record[name]).replaceAll('\n', ' '), 40))
    return { name, cells, width: Math.max(name.length, ...cells.map(({ length }) => length)) }
  })
  let used = 0
  const fitting = columns.filter(({ width: columnWidth }, index) => {
    used += columnWidth + (index > 0 ? 2 : 0)
    return used <= width
  })
  const lineOf = (/** @type {string[]} */ cells) =>
    cells
      .map((cell, index) => cell.padEnd(fitting[index]?.width ?? 0))
      .join('  ')
      .trimEnd()
  return [
    lineOf(fitting.map(({ name }) => name)),
    ...records.map((_, index) => lineOf(fitting.map(({ cells }) => cells[index] ?? ''))),
  ].join('\n')
}

/** @param {string} text @param {number} length */
export function clip(text, length) {
  const characters = Array.from(text)
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

/** Breaks a text into lines at spaces. @param {string} text @param {number} width @param {string} [indent] */
export function wrap(text, width, indent = '') {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? ''
    if (last && indent.length + last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines.map((line) => indent + line).join('\n')
}
