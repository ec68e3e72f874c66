import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { templates, tones } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { themeConfig } from '../../../lib/domain/records/theme.ts'
import { backgrounds, slideEntrances, slideLayouts } from '../../../lib/render/slides/slide.ts'

const docs = new URL('../../../docs/guides/', import.meta.url)
const text = readFileSync(new URL('templates.md', docs), 'utf8')
const pictures = [...text.matchAll(/!\[([\w-]+)\]\(([^)]+)\)/g)].map(([, name, path]) => ({ name, path: path! }))

describe('docs/guides/templates.md', () => {
  it.each(templates)('shows the template %s', (template) => {
    expect(text).toContain(`## ${template}\n`)
    expect(pictures.map(({ name }) => name)).toContain(template)
  })
  it.each(slideEntrances)('shows the slide entrance %s', (entrance) => {
    expect(pictures.map(({ name }) => name)).toContain(`entrance-${entrance}`)
  })
  it.each([...backgrounds, ...slideLayouts, ...tones])('names %s', (value) => {
    expect(text).toContain(`\`${value}\``)
  })
  it.each(Object.keys(themeConfig.entries).filter((field) => field.startsWith('presentation')))(
    'describes %s',
    (field) => {
      expect(text).toContain(`| ${field} |`)
    },
  )
  it('has all the pictures that it shows', () => {
    expect(pictures.filter(({ path }) => !existsSync(new URL(path, docs)))).toEqual([])
  })
})
