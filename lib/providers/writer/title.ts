/** Titles of videos: capitalised, at most 80 characters. */
import { capitalised, parseIdea, sentencesOf } from './idea.ts'

const titleLengthMax = 80
const minor = /^(?:a|an|and|as|at|but|by|for|from|in|into|nor|of|on|or|over|the|to|up|via|vs|with)$/i

/** The title of a video with a given script: its first sentence, cut at a word if necessary. */
export function titleFor(text: string): string {
  return shortened((sentencesOf(text)[0] ?? '').replace(/(?<![.…!,;:\s])[.…!,;:\s]+$/u, '')) || 'Untitled'
}

/** The title of a video from an idea; English ones are in title case. */
export function titleOfIdea(prompt: string, language: string): string {
  if (language !== 'en') return titleFor(prompt)
  const { heading, shape } = parseIdea(prompt)
  return (shape === 'phrase' ? titleCase(shortened(heading)) : shortened(heading)) || 'Untitled'
}

function titleCase(text: string): string {
  const words = (text === text.toUpperCase() && text.includes(' ') ? text.toLowerCase() : text).split(' ')
  return words
    .map((word, index) => (index > 0 && index < words.length - 1 && minor.test(word) ? word : capitalised(word)))
    .join(' ')
}

function shortened(text: string): string {
  if (Array.from(text).length <= titleLengthMax) return capitalised(text)
  const cut = Array.from(text)
    .slice(0, titleLengthMax - 1)
    .join('')
  const space = cut.lastIndexOf(' ')
  return `${capitalised((space > titleLengthMax / 2 ? cut.slice(0, space) : cut).replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, ''))}…`
}
