/** The theme config: the editor's defaults, every range at its edges, colours. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { editorDefaults, themeConfig } from '../../../lib/domain/records/theme.ts'

const takes = (config: unknown) => v.is(themeConfig, config)

describe('the theme config', () => {
  it('accepts the defaults of the editor unchanged', () => {
    expect(v.parse(themeConfig, editorDefaults)).toEqual(editorDefaults)
  })

  it.each([
    ['captionsFontSize', 12, 200],
    ['captionsVerticalPosition', 0, 100],
    ['captionsTextStroke', 0, 40],
    ['captionsActiveWordStroke', 0, 40],
    ['captionsLetterSpacing', -20, 50],
  ])('accepts %s from %i to %i', (name, minimum, maximum) => {
    const values = [minimum - 1, minimum - 0.01, minimum, (minimum + maximum) / 2, maximum, maximum + 0.01, maximum + 1]
    expect(values.map((value) => takes({ [name]: value }))).toEqual([false, false, true, true, true, false, false])
    expect([String(minimum), null, Number.NaN].map((value) => takes({ [name]: value }))).toEqual([false, false, false])
  })

  it.each(['#abc', '#ABCD', '#39E508', '#39e508ff', 'black', 'RebeccaPurple', 'transparent'])(
    'accepts the colour %s',
    (colour) => {
      expect(takes({ captionsPrimaryColor: colour })).toBe(true)
    },
  )

  it.each(['', '#', '#ab', '#abcde', '#abcdefg', '#ggg', '39E508', 'rgb(0,0,0)', 'blackish', ' black', 'toString'])(
    'refuses the colour "%s"',
    (colour) => {
      expect(takes({ captionsPrimaryColor: colour })).toBe(false)
    },
  )

  it.each([
    ['captionsAnimation', ['none', 'fadeIn', 'fadeInSlideUp', 'slideUp', 'popIn', 'scaleIn', 'typewriter']],
    ['captionsWordEffects', ['', 'bounceWord', 'highlightWord', 'karaokeWord', 'popWord', 'scaleWord']],
    ['captionsTextTransform', ['none', 'uppercase', 'lowercase', 'capitalize']],
    ['layoutMode', ['wrap', 'single-line', 'word']],
    ['captionsFontWeight', ['thin', 'medium', 'black', '100', '900']],
  ])('accepts for %s only the values of its list', (name, values) => {
    expect(values.filter((value) => !takes({ [name]: value }))).toEqual([])
    expect(['other', 5, null, 'Thin', '150'].filter((value) => takes({ [name]: value }))).toEqual([])
  })

  it('accepts only http and https URLs', () => {
    const addresses = [
      'https://x.test/logo.png',
      'http://x.test',
      'ftp://x.test/a',
      'javascript:alert(1)',
      'logo.png',
      '',
    ]
    expect(addresses.map((address) => takes({ presentationLogoUrl: address }))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('drops unknown keys', () => {
    expect(v.parse(themeConfig, { layoutMode: 'wrap', other: 1 })).toEqual({ layoutMode: 'wrap' })
  })
})
