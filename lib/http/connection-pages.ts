/** What a user reads who comes back from a platform. */

import { errorAnswer, statusOf } from '../contract/errors.ts'
import { Refusal } from '../domain/core/refusal.ts'
import type { Account, AccountIdentity } from '../domain/records/account.ts'
import { cardPage, type ShownPage } from './html-page.ts'

const again = 'Ask for a new link where you got this one.'

export const connectedPage = (platform: { name: string; color: string }, { username }: Account): ShownPage =>
  cardPage(200, {
    color: platform.color,
    isGood: true,
    title: `Connected to ${platform.name}`,
    text: `Videos can now be posted as ${username}. You can close this page.`,
  })

/** One click each; the address that it leads to is that of this page, with a state of its own. */
export const choicePage = (
  platform: { name: string; color: string },
  { state, accounts }: { state: string; accounts: readonly AccountIdentity[] },
): ShownPage =>
  cardPage(200, {
    color: platform.color,
    isGood: true,
    title: `Which account on ${platform.name}?`,
    text: 'You allowed several. Videos will be posted as the one that you choose.',
    choices: {
      kept: { state },
      name: 'account',
      options: accounts.map(({ externalId, displayName, username }) => ({
        value: externalId,
        label: displayName,
        small: username === displayName ? externalId : username,
      })),
    },
  })

export const deniedPage = (name: string): ShownPage =>
  cardPage(403, {
    isGood: false,
    title: 'Nothing was connected',
    text: `${name} says that you did not allow it, or could not ask you. ${again}`,
  })

/** A refusal says why; of a fault nobody is told more than its number. */
export function failedPage(error: unknown, requestId: string): ShownPage {
  const { status } = errorAnswer(error, requestId)
  if (!(error instanceof Refusal)) return troublePage(status, requestId)
  if (error.code === 'not-found') return overPage
  return cardPage(statusOf[error.code], { isGood: false, title: 'Not connected', text: `${error.message} ${again}` })
}

const overPage = cardPage(404, {
  isGood: false,
  title: 'This link is over',
  text: `A link works once, and for ten minutes. ${again}`,
})

const troublePage = (status: number, requestId: string) =>
  cardPage(status, {
    isGood: false,
    title: 'Something went wrong',
    text: `The account was not connected. ${again}`,
    small: `Request ${requestId}`,
  })
