/** The templates of slides for people, and the fields of each that hold text. */
import type { Template } from '../../lib/domain/generation/scenes/presentation-scenes.ts'

interface SlideField {
  name: string
  label: string
  /** One item a line. */
  isList: boolean
}

const field = (name: string, label: string): SlideField => ({ name, label, isList: false })
const list = (name: string, label: string): SlideField => ({ name, label, isList: true })
const title = field('title', 'Heading')

export const templateNames: Record<Template, string> = {
  heroTitle: 'Headline',
  flowSteps: 'Steps',
  bulletList: 'List',
  bigNumber: 'Big number',
  quote: 'Quote',
  comparison: 'Comparison',
  timeline: 'Timeline',
  imageFull: 'Full image',
  callToAction: 'Call to action',
}

export const templateFields: Record<Template, readonly SlideField[]> = {
  heroTitle: [title, field('kicker', 'Label above'), field('subtitle', 'Sentence below')],
  flowSteps: [title, list('steps', 'Steps, one a line')],
  bulletList: [title, list('points', 'Points, one a line')],
  bigNumber: [field('value', 'Figure'), field('label', 'Its meaning')],
  quote: [field('quote', 'Quote'), field('author', 'Author')],
  comparison: [
    field('left', 'First side'),
    field('leftLabel', 'Its label'),
    field('right', 'Second side'),
    field('rightLabel', 'Its label'),
  ],
  timeline: [title, list('events', 'Events, one a line')],
  imageFull: [field('imageUrl', 'Image URL'), title, field('caption', 'Text without captions')],
  callToAction: [field('line', 'Line'), field('button', 'Button')],
}
