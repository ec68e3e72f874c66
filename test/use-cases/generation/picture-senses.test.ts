/** Words with several senses, each with the words beside it that choose one. Found by viewers, in films. */
import { expect, it } from 'vitest'
import { findObjects } from '../../../lib/domain/generation/picture-words.ts'
import { loadPictureVocabulary } from '../../../lib/use-cases/generation/picture-vocabulary.ts'

const { local } = await loadPictureVocabulary('en')
const seenFor = (text: string) => findObjects(text, local).toSorted((a, b) => b.score - a.score)[0]?.object

it.each([
  ['traps it in thousands of small bubbles', 'bubbles'],
  ['a mouse trap with cheese', 'mouse-trap'],
  ['kneading lines up and links the gluten', 'bread'],
  ['cats knead blankets', 'cat'],
  ['the holes in your sandwich', 'bread'],
  ['a black hole', 'hole'],
  ['spent a month in a cave', 'mountain'],
  ['two thirds of them sit in its 8 arms', 'octopus'],
  ['an office chair to sit on', 'chair'],
  ['at the peak of the inflation', 'chart-increasing'],
  ['the peak of Everest', 'snow-capped-mountain'],
  ['it has short waves', 'wireless'],
  ['the waves of a microwave oven', 'wireless'],
  ['the waves on the shore', 'water-wave'],
  ['the gold you see in October', 'fallen-leaf'],
  ['a bar of gold', 'coin'],
  ['the most famous coat in Africa', 'zebra'],
  ['a coat against the rain', 'coat'],
  ['box breathing', 'wind-face'],
  ['a box of goods', 'package'],
  ['the pores in its skin', 'raised-hand'],
  ['a French philosopher', 'older-person'],
  ['the rings of Saturn', 'ringed-planet'],
  ['it settles on the bank of the river', 'national-park'],
])('“%s” shows %s', (text, object) => {
  expect(seenFor(text)).toBe(object)
})

it('shows nothing for a verb that also names a thing', () => {
  expect(seenFor('so it can stretch without tearing')).toBeUndefined()
})
