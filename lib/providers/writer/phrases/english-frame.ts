/** Hooks, bridges and closes of the built-in English scripts. `{it}` stands for the idea, as a phrase or as a sentence. */

export type ScriptTone = 'plain' | 'funny' | 'calm' | 'bold'
/** How the idea can be spoken of: after "about", as a question, or only as a sentence of its own. */
export type IdeaShape = 'phrase' | 'question' | 'sentence'

export const hooks: Record<IdeaShape, Record<ScriptTone, readonly string[]>> = {
  phrase: {
    plain: [
      "Let's talk about {it}.",
      'Here is what most people miss about {it}.',
      'If you have ever wondered about {it}, this is for you.',
      'Here is a fresh look at {it}.',
      'What if everything you heard about {it} was only half the story?',
      'Let me change the way you think about {it}.',
    ],
    funny: [
      "Let's talk about {it}, because somebody has to.",
      'I have thought about {it} far too much, so now you have to hear it.',
      'Everyone has an opinion about {it}. Mine is shorter.',
    ],
    calm: [
      "Take a breath, and let's think about {it}.",
      "Let's take a quiet moment to think about {it}.",
      'There is no rush today. This is about {it}.',
    ],
    bold: [
      'Stop scrolling. This is about {it}.',
      'This might be the most useful minute you ever spend on {it}.',
      "Forget what you heard. Let's get serious about {it}.",
    ],
  },
  question: {
    plain: [
      '{it} Most people have never stopped to think about it.',
      '{it} The answer is more interesting than it sounds.',
      '{it} It is a better question than it seems.',
      '{it} Here is a good way to think about it.',
    ],
    funny: ['{it} I asked three people, and got five answers.', '{it} Yes, I lie awake thinking about this too.'],
    calm: ["{it} Let's take a moment with that question.", '{it} There is no need to hurry the answer.'],
    bold: ['{it} You need to know this.', '{it} Stay with me, because the answer matters.'],
  },
  sentence: {
    plain: [
      '{it} Let that sink in for a moment.',
      '{it} It sounds simple, and there is a lot behind it.',
      '{it} Here is why that deserves a minute of your time.',
    ],
    funny: ['{it} There, I said it.', '{it} And no, I am not making this up.'],
    calm: ['{it} Take a moment with that thought.', '{it} It is a quiet idea, and a good one.'],
    bold: ['{it} Read that again.', '{it} This changes more than you think.'],
  },
}

/** Said between the hook and the first point where there is time; `{count}` is the number of points in words. */
export const promises: readonly string[] = [
  'Here are {count} things worth knowing, one at a time.',
  'We will take it one step at a time, and there are {count} steps in all.',
  'Stay for all {count} points, because they only make sense together.',
  'I will give you {count} ideas, and I will keep each of them short.',
]

export const openers: readonly (readonly string[])[] = [
  ['First,', 'For a start,'],
  ['Second,', 'Next,', 'After that,'],
  ['Third,', 'Then,', 'On top of that,'],
  ['Also,', 'Beyond that,', 'Just as important,'],
  ['And then,', 'Another thing:', 'Here is one more:'],
]
export const lastOpeners: readonly string[] = ['Finally,', 'And last,', 'And one more thing:']

/** Begin the later parts of a long script, in this order. */
export const partOpeners: readonly string[] = [
  'So much for the foundation. Now it gets more interesting.',
  "Let's go one level deeper.",
  'Now look at where all of this leads.',
  'We are nearly there, and the best part comes last.',
]

/** Where the prompt tells a story of several sentences, the frame steps back. */
export const storyHooks: readonly string[] = [
  'Here is something worth a minute of your time. {it}',
  'Listen to this. {it}',
  'Stay with me for this one. {it}',
]
export const storyCloses: readonly string[] = [
  'Think about that today.',
  'Share this with someone who should hear it.',
  'Keep that with you for a while.',
]

/** After what is made known, as a product or an opening. */
export const announcementCloses: readonly string[] = [
  'Come and see for yourself.',
  'Tell somebody who has been waiting for this.',
  'Now you know where to look.',
]

/** Looks back over a long script; `{one}` and `{other}` are leads that were already heard. */
export const recaps: readonly string[] = [
  'Before you go, remember two things above all. One: {one} Two: {other}',
  'If you forget everything else, keep these two. One: {one} Two: {other}',
]

/** Closes after points that advise. */
export const closes: Record<ScriptTone, readonly string[]> = {
  plain: [
    'Pick one of these, and try it today.',
    'Save this for later, and share it with someone who needs it.',
    'Start with one, and see what changes.',
    'Now you know. What will you do with it?',
  ],
  funny: [
    'That is it. You may now return to your snacks.',
    'Share this with a friend who thinks they know everything.',
  ],
  calm: ['Take what helps you, and leave the rest.', 'Go gently, and come back to this whenever you like.'],
  bold: ['Now go and do it.', 'You have heard enough. Start today.', 'No excuses. Your first step begins now.'],
}

/** Closes after points that tell. */
export const knowingCloses: Record<ScriptTone, readonly string[]> = {
  plain: [
    'Save this for later, and share it with someone who is curious too.',
    'Now you know where to look.',
    'Stay curious, and look a little closer.',
    'Ask that question the next time somebody brings it up.',
  ],
  funny: [
    'That is it. You may now return to your snacks.',
    'Share this with a friend who thinks they know everything.',
  ],
  calm: ['Let that thought stay with you for a while.', 'Stay curious, and take your time.'],
  bold: ['Now you know more than most.', 'Never stop asking.'],
}
