/**
 * Writes `assets/objects`: the drawings of `@iconify-json/fluent-emoji-flat` that show a thing, and their names in the
 * product's languages from `emojibase-data`. Both are read from unpacked packages (`npm pack`), because together they
 * are 58 MB: `bash scripts/run.sh scripts/make-objects.ts <fluent folder> <emojibase folder>`. The output is deterministic.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtInVoices } from '../lib/domain/videos/voices.ts'
import { chosenFaces, chosenPeople, chosenSymbols, isLeftOut, thingGroups } from './objects/choice.ts'

interface Emoji {
  hexcode: string
  label: string
  tags?: string[]
  /** Of the Unicode order; absent for letters of flags. */
  group?: number
}

const [fluent, emojibase] = process.argv.slice(2)
if (!fluent || !emojibase) throw new Error('Name the folders of the two unpacked packages.')
const target = new URL('../assets/objects/', import.meta.url).pathname
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'))

const { icons } = readJson<{ icons: Record<string, { body: string }> }>(join(fluent, 'icons.json'))
/** Without the variation selector, which the two packages write differently. */
const normalised = (hexcode: string) => hexcode.toLowerCase().replaceAll('-fe0f', '')
const idOf = new Map(
  Object.entries(readJson<Record<string, string>>(join(fluent, 'chars.json'))).map(([hexcode, id]) => [
    normalised(hexcode),
    id,
  ]),
)
const emojiOf = (language: string) => readJson<Emoji[]>(join(emojibase, language, 'compact.json'))

const isChosen = (id: string, group: number | undefined) =>
  chosenFaces.has(id) ||
  chosenPeople.has(id) ||
  chosenSymbols.has(id) ||
  (group !== undefined && thingGroups.has(group) && !isLeftOut(id))
const chosen = emojiOf('en')
  .flatMap(({ hexcode, group }) => {
    const id = idOf.get(normalised(hexcode))
    return id && icons[id] && isChosen(id, group) ? [{ id, hexcode }] : []
  })
  .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** One property a line. */
const writeObject = (file: string, entries: readonly (readonly [string, unknown])[]) =>
  writeFileSync(
    join(target, file),
    `{\n${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}\n`,
  )

/** Two decimals in a box of 32: a fortieth of a pixel in a drawing of 256. Path data joins numbers: `1.5.25` are two. */
const compactBody = (body: string) =>
  body.replace(/-?(?:\d+(?:\.\d*)?|\.\d+)/g, (number, at: number) => {
    if (!/\.\d{3,}/.test(number)) return number
    const rounded = String(Number(Number(number).toFixed(2))).replace(/^(-?)0\./, '$1.')
    // A sign or a point that separated two numbers may be gone.
    const before = /^[\d.]/.test(rounded) && /[\d.]/.test(body[at - 1] ?? '') && rounded[0] !== number[0]
    const after = !rounded.includes('.') && body[at + number.length] === '.'
    return `${before ? ' ' : ''}${rounded}${after ? ' ' : ''}`
  })

for (const folder of ['keywords', 'countries']) mkdirSync(join(target, folder), { recursive: true })
writeObject(
  'objects.json',
  chosen.map(({ id }) => [id, compactBody(icons[id]!.body)]),
)
for (const language of [...new Set(builtInVoices.map((voice) => voice.language))].toSorted()) {
  const emoji = emojiOf(language)
  const byCode = new Map(emoji.map((one) => [normalised(one.hexcode), one]))
  const words = chosen.map(({ id, hexcode }) => {
    const { label, tags = [] } = byCode.get(normalised(hexcode))!
    return [id, [...new Set([label, ...tags].map((word) => word.toLowerCase()))]] as const
  })
  writeObject(`keywords/${language}.json`, words)
  writeObject(`countries/${language}.json`, countriesOf(emoji))
}

/** Names of countries by ISO code, from the labels of their flags: "flag: France". */
function countriesOf(emoji: readonly Emoji[]): [string, string][] {
  return emoji
    .flatMap(({ hexcode, label }): [string, string][] => {
      const letters = hexcode.split('-').map((code) => Number.parseInt(code, 16) - 0x1f1e6)
      if (letters.length !== 2 || letters.some((letter) => letter < 0 || letter > 25)) return []
      const code = String.fromCharCode(...letters.map((letter) => 97 + letter))
      return [[code, label.replace(/^[^:：]*[:：]\s*/, '')]]
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

console.log(`${chosen.length} objects`)
