/** What docs/guides/templates.md shows of each template: what it is for, what its content may say, and a slide that says it. */
import type { Template } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import type { Slide } from '../../lib/render/slides/slide.ts'

export interface TemplateSample {
  template: Template
  text: string
  /** Fields of `content` and what they are. */
  fields: readonly (readonly [name: string, meaning: string])[]
  slide: Partial<Slide>
}

export const templateSamples: readonly TemplateSample[] = [
  {
    template: 'heroTitle',
    text: 'A headline: what the film or a part of it is about.',
    fields: [
      ['title', 'the headline; the text of the scene where it is absent'],
      ['kicker', 'a label in a pill above it'],
      ['subtitle', 'a quieter sentence below it'],
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
    text: 'Steps that follow one another, numbered, each on its card. In landscape the cards stand side by side.',
    fields: [
      ['title', 'a heading'],
      ['steps', 'texts, or objects with `title` and `detail`; up to eight'],
      ['from', 'the number of the first one, where others stood on a slide before; 1 where it is absent'],
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
    text: 'Points that belong together in no order.',
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
      ['value', 'the figure with its signs, like `73%` or `$1.2 million`; the emphasis where it is absent'],
      ['label', 'what it counts'],
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
      ['quote', 'the sentence; the text of the scene where it is absent'],
      ['author', 'who said it'],
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
    text: 'Two sides of something, the second one louder. Under one another, in landscape side by side.',
    fields: [
      ['left, right', 'what each side says'],
      ['leftLabel, rightLabel', 'a few words above them'],
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
    text: 'Events along a line, which lies in landscape.',
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
      'A picture over the whole film, moving slowly, with a few words at its foot: with captions only the emphasis. The picture is the one at ' +
      '`imageUrl`, else what the b-roll of that time shows, else a drawing in the colours of the slides.',
    fields: [
      ['imageUrl', 'the address of a PNG, JPEG or WebP'],
      ['title', 'the words; absent, the caption or the emphasis'],
      ['caption', 'the words where no captions are shown'],
    ],
    slide: { content: { caption: 'The light of the morning sets your inner clock' } },
  },
  {
    template: 'callToAction',
    text: 'What the viewer should do, with a button. A button that only repeats the line becomes an arrow.',
    fields: [
      ['line', 'what is said; the text of the scene where it is absent'],
      ['button', 'what stands on the button'],
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
