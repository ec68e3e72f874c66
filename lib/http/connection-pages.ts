/** What a user reads who comes back from a platform. */

import { httpStatusOf, toErrorResponse } from '../contract/errors.ts'
import { Refusal } from '../domain/core/refusal.ts'
import type { Account, AccountIdentity } from '../domain/records/account.ts'
import { cardPage, type HtmlPage } from './html-page.ts'

const retryHint = 'Ask for a new link where you got this one.'

export const connectedPage = (platform: { name: string; color: string }, { username }: Account): HtmlPage =>
  cardPage(200, {
    color: platform.color,
    isSuccess: true,
    title: `Connected to ${platform.name}`,
    text: `Videos can now be posted as ${username}. You can close this page.`,
  })

/** One click each; the address that it leads to is that of this page, with a state of its own. */
export const choicePage = (
  platform: { name: string; color: string },
  { state, accounts }: { state: string; accounts: readonly AccountIdentity[] },
): HtmlPage =>
  cardPage(200, {
    color: platform.color,
    isSuccess: true,
    title: `Which account on ${platform.name}?`,
    text: 'You allowed several. Videos will be posted as the one that you choose.',
    choices: {
      hiddenFields: { state },
      name: 'account',
      options: accounts.map(({ externalId, displayName, username }) => ({
        value: externalId,
        label: displayName,
        small: username === displayName ? externalId : username,
      })),
    },
  })

export const deniedPage = (name: string): HtmlPage =>
  cardPage(403, {
    isSuccess: false,
    title: 'Nothing was connected',
    text: `${name} says that you did not allow it, or could not ask you. ${retryHint}`,
  })

/** A refusal says why; of a fault nobody is told more than its number. */
export function failedPage(error: unknown, requestId: string): HtmlPage {
  const { status } = toErrorResponse(error, requestId)
  if (!(error instanceof Refusal)) return errorPage(status, requestId)
  if (error.code === 'not-found') return expiredPage
  return cardPage(httpStatusOf[error.code], {
    isSuccess: false,
    title: 'Not connected',
    text: `${error.message} ${retryHint}`,
  })
}

const expiredPage = cardPage(404, {
  isSuccess: false,
  title: 'This link is over',
  text: `A link works once, and for ten minutes. ${retryHint}`,
})

const errorPage = (status: number, requestId: string) =>
  cardPage(status, {
    isSuccess: false,
    title: 'Something went wrong',
    text: `The account was not connected. ${retryHint}`,
    small: `Request ${requestId}`,
  })
