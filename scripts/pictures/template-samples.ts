/** The contents of docs/guides/templates.md: purpose, content fields and a sample slide of each template. */
import type { Template } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import type { Slide } from '../../lib/render/slides/slide.ts'

export interface TemplateSample {
  template: Template
  text: string
  /** Fields of `content` with their meanings. */
  fields: readonly (readonly [name: string, meaning: string])[]
  slide: Partial<Slide>
}

export const templateSamples: readonly TemplateSample[] = [
  {
    template: 'heroTitle',
    text: 'A headline: the topic of the video or of a part of it.',
    fields: [
      ['title', 'the headline; default: the text of the scene'],
      ['kicker', 'a label in a pill above it'],
      ['subtitle', 'a secondary sentence below it'],
    ],
    slide: {
      emphasis: 'first hour',
      content: {
        kicker: 'Morning routine',
        title: 'Own your first hour',
        subtitle: 'Three habits that the top one percent never skip.',
      },
    },
  },
  {
    template: 'flowSteps',
    text: 'Numbered steps, each on a card. In landscape the cards are side by side.',
    fields: [
      ['title', 'a heading'],
      ['steps', 'texts, or objects with `title` and `detail`; up to eight'],
      ['from', 'the number of the first step, if an earlier slide has the previous ones; default: 1'],
    ],
    slide: {
      captioned: true,
      anchors: ['light', 'move', 'focus'],
      content: {
        title: 'The three-step flow',
        steps: [
          { title: 'Light', detail: 'Step outside for ten minutes' },
          { title: 'Move', detail: 'Five minutes of walking' },
          { title: 'Focus', detail: 'Ninety minutes, no phone' },
        ],
      },
    },
  },
  {
    template: 'bulletList',
    text: 'An unordered list of points.',
    fields: [
      ['title', 'a heading'],
      ['points', 'texts, or objects with `title` and `detail`; up to eight'],
    ],
    slide: {
      captioned: true,
      emphasis: 'quiet',
      content: { title: 'What you need', points: ['A quiet hour', 'A glass of water', 'A list of three things'] },
    },
  },
  {
    template: 'bigNumber',
    text: 'One figure, as large as it can be. It counts up when it is spoken.',
    fields: [
      ['value', 'the figure with its unit, such as `73%` or `$1.2 million`; default: the emphasis'],
      ['label', 'the meaning of the figure'],
    ],
    slide: {
      tone: 'accent',
      content: { value: '73%', label: 'of people check their phone within ten minutes of waking up' },
    },
  },
  {
    template: 'quote',
    text: 'A sentence that somebody has said. Its lines come as they are spoken.',
    fields: [
      ['quote', 'the sentence; default: the text of the scene'],
      ['author', 'the author of the quote'],
    ],
    slide: {
      emphasis: 'Lose an hour',
      content: {
        quote: 'Lose an hour in the morning, and you will spend all day looking for it',
        author: 'Richard Whately',
      },
    },
  },
  {
    template: 'comparison',
    text: 'Two sides, the second emphasised. One above the other; in landscape side by side.',
    fields: [
      ['left, right', 'the text of each side'],
      ['leftLabel, rightLabel', 'a short label above each'],
    ],
    slide: {
      tone: 'dark',
      emphasis: 'scroll',
      content: {
        ...{ leftLabel: 'Most people', left: 'Reach for the phone and scroll for half an hour' },
        ...{ rightLabel: 'You', right: 'Step outside and let the light wake you up' },
      },
    },
  },
  {
    template: 'timeline',
    text: 'Events along a line, which is horizontal in landscape.',
    fields: [
      ['title', 'a heading'],
      ['events', 'texts, or objects with `title` and `detail`; up to eight'],
    ],
    slide: {
      content: {
        title: 'How we got here',
        events: [
          { title: '1876', detail: 'The first alarm clock' },
          { title: '1956', detail: 'The snooze button' },
          { title: '2007', detail: 'The phone moves into bed' },
          { title: 'Today', detail: 'We take the morning back' },
        ],
      },
    },
  },
  {
    template: 'imageFull',
    text:
      'A full-frame picture that moves slowly, with a short text at the bottom: with captions, only the emphasis. The picture is the one at ' +
      '`imageUrl`, else the b-roll of that time, else a drawing in the colours of the slides.',
    fields: [
      ['imageUrl', 'the address of a PNG, JPEG or WebP'],
      ['title', 'the text; default: the caption or the emphasis'],
      ['caption', 'the text if no captions are shown'],
    ],
    slide: { content: { caption: 'The light of the morning sets your inner clock' } },
  },
  {
    template: 'callToAction',
    text: 'A call to action with a button. A button that only repeats the line becomes an arrow.',
    fields: [
      ['line', 'the line; default: the text of the scene'],
      ['button', 'the label of the button'],
    ],
    slide: {
      tone: 'accent',
      emphasis: 'tomorrow',
      content: { line: 'Try it tomorrow, and tell me how it went', button: 'Follow for more' },
    },
  },
]

export const sampleOf = (template: Template): TemplateSample =>
  templateSamples.find((sample) => sample.template === template)!
