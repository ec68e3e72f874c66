import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { fontWeightNames } from '../../lib/domain/records/theme.ts'
import { captionFamilies, captionFonts } from '../../lib/render/fonts.ts'
import { facesOf } from './compositions.ts'

const nameOf = (captionsFontFamily?: string, captionsFontWeight?: (typeof fontWeightNames)[number]) =>
  captionFonts(
    {
      ...(captionsFontFamily && { captionsFontFamily }),
      ...(captionsFontWeight && { captionsFontWeight }),
    },
    '',
  )[0]!.name
const scriptsOf = (text: string) =>
  captionFonts({}, text)
    .slice(2)
    .map(({ name }) => name)

const everyScript = '今日は 안녕 مرحبا שלום नमस्ते สวัสดี'

describe('caption fonts', () => {
  it('use Montserrat Black for TheBoldFont and for unknown families', () => {
    expect([nameOf(), nameOf('TheBoldFont', 'medium'), nameOf('Comic Sans')]).toEqual(Array(3).fill('Montserrat Black'))
  })
  it('have the weight of the theme if the family has it', () => {
    expect([nameOf('Montserrat', 'bold'), nameOf('inter', 'normal'), nameOf('Anton', 'bold')]).toEqual([
      'Montserrat Bold',
      'Inter',
      'Anton',
    ])
  })
  it('are found in any case, with or without spaces', () => {
    expect(['bebasneue', 'BEBAS NEUE', 'Bebas Neue', 'bebas-neue'].map((name) => nameOf(name))).toEqual(
      Array(4).fill('Bebas Neue'),
    )
    expect([nameOf('playfair display', 'thin'), nameOf('Poppins', 'black')]).toEqual([
      'Playfair Display',
      'Poppins Black',
    ])
  })
  it('have the names that drawings reference, for every family and weight', () => {
    const { resolve } = createRequire(import.meta.url)
    for (const family of captionFamilies.keys()) {
      for (const weight of fontWeightNames) {
        const theme = { captionsFontFamily: family, captionsFontWeight: weight }
        for (const { file, name } of captionFonts(theme, everyScript)) {
          const bytes = readFileSync(resolve(file))
          // Names are stored in UTF-16, big end first.
          const stored = Buffer.from(name, 'utf16le').swap16()
          expect(bytes.includes(stored), `${name} in ${file}`).toBe(true)
        }
      }
    }
  })
  it('are those of the scripts in use, and no others', () => {
    expect(scriptsOf('hello Привет Γειά')).toEqual([])
    expect(scriptsOf('नमस्ते')).toEqual(['Noto Sans Devanagari Bold'])
    expect(scriptsOf('今天')).toEqual(['Noto Sans SC Bold'])
    expect(scriptsOf('今日は')).toEqual(['Noto Sans JP Bold', 'Noto Sans SC Bold'])
    expect(scriptsOf(everyScript)).toHaveLength(7)
  })
})

describe('a font face', () => {
  const [montserrat, inter] = facesOf()
  const advance = (character: string, face = montserrat!) => face.advance(character.codePointAt(0)!)

  it('has the heights that centre its lines', () => {
    expect(montserrat!.ascent + montserrat!.descent).toBeCloseTo(1.562, 3)
  })
  it('knows how wide its characters are', () => {
    // Advance widths of Montserrat Black in thousandths of an em, as FontForge shows them.
    expect(advance('I')! * 1000).toBeLessThan(advance('M')! * 500)
    expect(['A', 'é', 'Ж'].every((character) => advance(character)! > 0.4)).toBe(true)
  })
  it('knows which characters it lacks', () => {
    expect([advance('日'), advance('→', inter!) !== undefined, advance('日', inter!)]).toEqual([
      undefined,
      true,
      undefined,
    ])
  })
})
