import { expect, it } from 'vitest'
import type { Template } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import { contrastSides, planSlide } from '../../lib/providers/director/slide-content.ts'

const slide = (template: Template, text: string) => {
  const words = text.split(' ').map((word, index) => ({ text: word, startMs: 400 * index, endMs: 400 * index + 360 }))
  return planSlide(template, { startMs: 0, endMs: 400 * words.length, words, text }, undefined)
}

it('a headline is the first sentence, and the rest is below it', () => {
  expect(slide('heroTitle', 'Sleep decides your day. Most people get too little of it.')).toMatchObject({
    emphasis: 'decides',
    content: { title: 'Sleep decides your day', subtitle: 'Most people get too little of it' },
  })
  expect(slide('heroTitle', 'Sleep well.').content).toEqual({ title: 'Sleep well' })
})

it('the subject of an enumeration is its heading', () => {
  expect(slide('bulletList', 'You need three things: water, light and a plan.')).toMatchObject({
    visual: { items: 3, anchors: ['water', 'light', 'a'] },
    content: { title: 'You need three things', points: ['Water', 'Light', 'A plan'] },
  })
})

it('sentences and words of Hindi stay whole', () => {
  const steps = 'पहली बात: इसका एक हिस्सा दिखाई नहीं देता। दूसरी बात: सीधा जवाब पूरा नहीं होता।'
  expect(slide('flowSteps', steps).content).toEqual({
    steps: ['इसका एक हिस्सा दिखाई नहीं देता', 'सीधा जवाब पूरा नहीं होता'],
  })
  expect(slide('heroTitle', 'यह सबसे अच्छा।').content).toEqual({ title: 'यह सबसे अच्छा' })
})

it('no item appears with a word that is said before it', () => {
  const steps =
    'Primero: los detalles cuentan la historia. Segundo: la respuesta obvia es la de siempre. Por último: la duda queda.'
  expect(slide('flowSteps', steps).visual.anchors).toEqual(['los', 'respuesta', 'duda'])
})

it('a figure is abbreviated and has its unit; it is anchored to its spoken form', () => {
  expect(slide('bigNumber', 'And 73 percent of them feel behind by nine.')).toMatchObject({
    emphasis: '73 percent',
    visual: { items: 1, anchors: ['73'] },
    content: { value: '73%', label: 'of them feel behind by nine' },
  })
  expect(slide('bigNumber', 'Fourth, heat a pan to 180°C. Fifth, pour it in.').content).toEqual({
    value: '180°C',
    label: 'Heat a pan to 180°C',
  })
  expect(slide('bigNumber', 'It cost $25 billion.').content).toEqual({
    value: '$25 billion',
    label: 'It cost $25 billion',
  })
})

it('a unit stands out with its figure', () => {
  expect(slide('imageFull', 'It was worth $100 billion then.').emphasis).toBe('$100 billion')
})

it.each([
  ['The crew was calm but the world was shaking.', ['The crew was calm', 'the world was shaking']],
  ['Instead of scrolling in bed, walk around the block.', ['scrolling in bed', 'walk around the block']],
  ['Yet it moves.', undefined],
  ['Nothing stands against anything here.', undefined],
])('the two sides of "%s"', (text, sides) => {
  expect(contrastSides(text)).toEqual(sides)
})
