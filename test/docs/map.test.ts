/** docs/README.md is the map of the documents and of the code: it must name all of them. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const map = read('docs/README.md')
const pages = globSync('docs/**/*.md', { cwd: root }).filter((file) => file !== 'docs/README.md')

describe('the map of the documents', () => {
  it.each(pages)('links to %s', (page) => {
    expect(map).toContain(`](${page.slice('docs/'.length)})`)
  })

  it.each(pages.filter((page) => page.startsWith('docs/decisions/')))('has the title of %s', (page) => {
    const title = /^# \d+\. (.+)$/m.exec(read(page))?.[1]
    expect(map).toContain(`(${page.slice('docs/'.length)}) | ${title} |`)
  })

  it.each(
    readdirSync(join(root, 'lib'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  )('describes lib/%s', (folder) => {
    expect(map).toContain(`| \`lib/${folder}/\` |`)
  })
})
