/** The settings of an account that publishers read, by platform, with the values that each platform takes. */
import { type PlatformId, platformName } from '../domain/core/platform.ts'
import { Refusal } from '../domain/core/refusal.ts'

interface Setting {
  pattern: RegExp
  /** Completes "must be …". */
  expected: string
}

const oneOf = (...values: string[]): Setting => ({
  pattern: new RegExp(`^(?:${values.join('|')})$`),
  expected: `one of ${values.join(', ')}`,
})
const matching = (pattern: RegExp, expected: string): Setting => ({ pattern, expected })

const trueOrFalse = oneOf('true', 'false')
const onOrOff = oneOf('on', 'off')

export const accountSettings: Record<PlatformId, Record<string, Setting>> = {
  tiktok: {
    privacy: oneOf('PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'),
    comments: onOrOff,
    duet: onOrOff,
    stitch: onOrOff,
  },
  youtube: {
    privacy: oneOf('public', 'unlisted', 'private'),
    categoryId: matching(/^\d{1,4}$/, 'the number of a category'),
    madeForKids: trueOrFalse,
  },
  instagram: { shareToFeed: trueOrFalse },
  facebook: {},
  twitter: { madeWithAi: trueOrFalse },
  linkedin: { privacy: oneOf('PUBLIC', 'CONNECTIONS', 'LOGGED_IN') },
  threads: {},
  pinterest: { board: matching(/^\S+$/, 'the id of a board') },
  reddit: {
    subreddit: matching(/^[A-Za-z0-9_-]{2,30}$/, 'a name without "r/"'),
    flair: matching(/^\S+$/, 'the id of a flair'),
  },
  bluesky: {},
}

/** An empty value removes a setting, whatever its name. @throws Refusal `invalid-request`. */
export function refuseUnknownSettings(platform: PlatformId, edit: Record<string, string>): void {
  const settings = accountSettings[platform]
  for (const [name, value] of Object.entries(edit)) {
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (!setting && value) throw invalid(`${platformName(platform)} has no setting ${name}. ${namesOf(settings)}`)
    if (setting && value && !setting.pattern.test(value)) throw invalid(`${name} must be ${setting.expected}.`)
  }
}

function namesOf(settings: Record<string, Setting>): string {
  const names = Object.keys(settings)
  return names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`
}

const invalid = (message: string) => new Refusal('invalid-request', message)
