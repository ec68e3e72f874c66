/** docs/guides/themes.md shows every option of a theme, each with a reviewed picture. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { captionsAnimations, captionsWordEffects, layoutModes, themeConfig } from '../../../lib/domain/records/theme.ts'
import { captionFamilies } from '../../../lib/render/fonts.ts'

const docs = fileURLToPath(new URL('../../../docs/guides/', import.meta.url))
const text = readFileSync(`${docs}themes.md`, 'utf8')
const pictures = [...text.matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name, file]) => ({ name: name!, file: file! }))
const fields = Object.keys(themeConfig.entries)

describe('docs/guides/themes.md', () => {
  it('explains every field of the captions under its own heading, with a picture', () => {
    for (const field of fields.filter((name) => name.startsWith('captions') || name === 'layoutMode')) {
      const section = text.split(/^## /m).find((part) => part.startsWith(`${field}\n`))
      expect(section, field).toMatch(/!\[/)
    }
  })
  it('names every field of slides', () => {
    for (const field of fields.filter((name) => name.startsWith('presentation'))) expect(text).toContain(`\`${field}\``)
  })
  it('shows every animation, word effect, layout and family', () => {
    const named = pictures.map(({ name }) => name)
    expect(named).toEqual(
      expect.arrayContaining([
        ...captionsAnimations.map((animation) => `animation-${animation}`),
        ...captionsWordEffects.map((effect) => `effect-${effect || 'none'}`),
        ...layoutModes.map((layout) => `layout-${layout}`),
        ...[...captionFamilies.keys()].map((family) => `family-${family.replaceAll(' ', '')}`),
      ]),
    )
  })
  it('shows pictures that exist, and there are no unused ones', () => {
    for (const { file } of pictures) expect(existsSync(`${docs}${file}`), file).toBe(true)
    const files = globSync('pictures/themes/*', { cwd: docs })
    expect(files.toSorted()).toEqual(pictures.map(({ file }) => file).toSorted())
    expect(files.reduce((sum, file) => sum + statSync(`${docs}${file}`).size, 0)).toBeLessThan(1_500_000)
  })
})
