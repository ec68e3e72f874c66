/** The arguments of `npm run demo --`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeInput, parseDemoArguments } from '../../scripts/demo/arguments.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

it.each([
  [['Why', 'cats', 'knead'], { brief: { type: 'faceless', prompt: 'Why cats knead' } }],
  [['--type', 'ai', 'A boat'], { brief: { type: 'ai', prompt: 'A boat' } }],
  [['--subtype', 'presentation', 'Rules'], { brief: { type: 'faceless', subType: 'presentation', prompt: 'Rules' } }],
  [['--subtype', 'ugc', 'Coffee'], { brief: { type: 'ai', subType: 'ugc', prompt: 'Coffee' } }],
  [['--upload', 'film.mp4'], { upload: 'film.mp4' }],
])('%j requests %j', (words, wish) => {
  expect(parseDemoArguments(words)).toEqual(wish)
  expect(describeInput(parseDemoArguments(words))).toContain(words.at(-1))
})

it('a script gets the shortest length that it fits in', () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'words.txt')
  for (const [words, videoDuration] of [
    [100, 'subminute'],
    [300, 'short'],
    [900, 'medium'],
  ] as const) {
    writeFileSync(file, 'word '.repeat(words).trim())
    expect(parseDemoArguments(['--type', 'ai', '--script', file])).toMatchObject({
      brief: { type: 'ai', videoDuration },
    })
  }
})

it.each([[['--type', 'video']], [['--nonsense']], [['--upload', 'film.mp4', 'An idea']]])(
  '%j shows the usage',
  (words) => {
    expect(() => parseDemoArguments(words)).toThrow('usage: npm run demo')
  },
)
