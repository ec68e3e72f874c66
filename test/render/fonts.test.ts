import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fontWeightNames } from '../../lib/domain/theme.ts'
import { captionFonts } from '../../lib/render/fonts.ts'
import { facesOf } from './support.ts'

const nameOf = (captionsFontFamily?: string, captionsFontWeight?: (typeof fontWeightNames)[number]) =>
  captionFonts({
    ...(captionsFontFamily && { captionsFontFamily }),
    ...(captionsFontWeight && { captionsFontWeight }),
  })[0]!.name

describe('caption fonts', () => {
  it('stand in for TheBoldFont and for families we do not have with Montserrat Black', () => {
    expect([nameOf(), nameOf('TheBoldFont', 'medium'), nameOf('Comic Sans')]).toEqual(Array(3).fill('Montserrat Black'))
  })
  it('take the weight of the theme where the family has it', () => {
    expect([nameOf('Montserrat', 'bold'), nameOf('inter', 'normal'), nameOf('Anton', 'bold')]).toEqual([
      'Montserrat Bold',
      'Inter',
      'Anton',
    ])
  })
  it('are installed, for every family and weight', () => {
    for (const family of ['TheBoldFont', 'Montserrat', 'Anton', 'Inter']) {
      for (const weight of fontWeightNames) {
        for (const { file } of captionFonts({ captionsFontFamily: family, captionsFontWeight: weight })) {
          expect(existsSync(new URL(`../../node_modules/${file}`, import.meta.url)), file).toBe(true)
        }
      }
    }
  })
})

describe('a font face', () => {
  const [montserrat, inter] = facesOf()
  const advance = (character: string, face = montserrat!) => face.advance(character.codePointAt(0)!)

  it('has the heights libass sizes fonts by', () => {
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
