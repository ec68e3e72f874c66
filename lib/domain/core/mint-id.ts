/** New ids. Apart from `id.ts`, whose functions give the same result for the same input. */
import { randomBytes } from 'node:crypto'
import { alphabet, type IdPrefix, timeLettersOf } from './id.ts'

const randomLettersPerId = 16
/** One byte for each letter of the next ids: a timeline mints thousands at once. */
let randomness = randomBytes(0)
let used = 0

/** 80 random bits, of 5 a letter. */
function nextRandomLetters(): string {
  if (used === randomness.length) {
    randomness = randomBytes(randomLettersPerId * 256)
    used = 0
  }
  let letters = ''
  for (const end = used + randomLettersPerId; used < end; used++) letters += alphabet[randomness[used]! & 31]
  return letters
}

/** Of the last id: the items of a timeline have the time of their request. */
let last = { time: '', letters: '' }

/** A new id such as `vid_01kb...`: 48 bits of time, then 80 random bits (the layout of a ULID). `now` is an ISO time. */
export function mintId(prefix: IdPrefix, now: string): string {
  if (last.time !== now) last = { time: now, letters: timeLettersOf(now) }
  return `${prefix}_${last.letters}${nextRandomLetters()}`
}
