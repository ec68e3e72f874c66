/** The bounds of the theme: what a client may set, and what is refused. */
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { editorDefaults, fontWeightNames, themeConfig } from '../../../lib/domain/records/theme.ts'

const isValid = (fields: object) => v.safeParse(themeConfig, fields).success

it.each([
  ['captionsFontSize', 12, 200],
  ['captionsVerticalPosition', 0, 100],
  ['captionsTextStroke', 0, 40],
  ['captionsActiveWordStroke', 0, 40],
  ['captionsLetterSpacing', -20, 50],
])('%s is from %i to %i', (name, least, most) => {
  expect([least - 0.1, least, most, most + 0.1].map((value) => isValid({ [name]: value }))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

it.each([
  ['#fff', true],
  ['#ffff', true],
  ['#FFFFFF', true],
  ['#ffffff80', true],
  ['Black', true],
  ['#ff', false],
  ['#fffff', false],
  ['#ggg', false],
  ['url(x)', false],
  ['', false],
])('a colour may be %j: %s', (value, expected) => {
  expect(isValid({ captionsPrimaryColor: value })).toBe(expected)
})

it('a font weight is a name or its number, and a name is not empty', () => {
  expect(
    fontWeightNames.map(
      (name, index) => isValid({ captionsFontWeight: name }) && isValid({ captionsFontWeight: `${index + 1}00` }),
    ),
  ).not.toContain(false)
  expect(['0', '1000', '150', 'heavy'].map((weight) => isValid({ captionsFontWeight: weight }))).not.toContain(true)
  expect([
    isValid({ captionsFontFamily: '' }),
    isValid({ captionsFontFamily: 'a'.repeat(100) }),
    isValid({ captionsFontFamily: 'a'.repeat(101) }),
  ]).toEqual([false, true, false])
})

it.each(['none', 'auto', 'calm', 'playful', 'loud'])('the music may be %s', (musicMood) => {
  expect(isValid({ musicMood })).toBe(musicMood !== 'loud')
})

it('the defaults of the editor are within all bounds, and unknown keys are dropped', () => {
  expect(v.parse(themeConfig, { ...editorDefaults, unknown: 1 })).toEqual(editorDefaults)
})
