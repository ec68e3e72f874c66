/** The theme config: the editor's defaults, every range at its edges, colours. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { editorDefaults, themeConfig } from '../../../lib/domain/records/theme.ts'

const takes = (config: unknown) => v.is(themeConfig, config)

describe('the theme config', () => {
  it('takes the defaults of the editor as they are', () => {
    expect(v.parse(themeConfig, editorDefaults)).toEqual(editorDefaults)
  })

  it.each([
    ['captionsFontSize', 12, 200],
    ['captionsVerticalPosition', 0, 100],
    ['captionsTextStroke', 0, 40],
    ['captionsActiveWordStroke', 0, 40],
    ['captionsLetterSpacing', -20, 50],
  ])('takes %s from %i to %i', (name, minimum, maximum) => {
    const values = [minimum - 1, minimum - 0.01, minimum, (minimum + maximum) / 2, maximum, maximum + 0.01, maximum + 1]
    expect(values.map((value) => takes({ [name]: value }))).toEqual([false, false, true, true, true, false, false])
    expect([String(minimum), null, Number.NaN].map((value) => takes({ [name]: value }))).toEqual([false, false, false])
  })

  it.each(['#abc', '#ABCD', '#39E508', '#39e508ff', 'black', 'RebeccaPurple', 'transparent'])(
    'takes the colour %s',
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
  ])('takes for %s the values of its list, and no other', (name, values) => {
    expect(values.filter((value) => !takes({ [name]: value }))).toEqual([])
    expect(['other', 5, null, 'Thin', '150'].filter((value) => takes({ [name]: value }))).toEqual([])
  })

  it('takes addresses of the web only', () => {
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

  it('drops keys that it does not know', () => {
    expect(v.parse(themeConfig, { layoutMode: 'wrap', other: 1 })).toEqual({ layoutMode: 'wrap' })
  })
})
