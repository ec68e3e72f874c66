/** The HTML pages of the OAuth callback. */

import { httpStatusOf, toErrorResponse } from '../contract/errors.ts'
import { Refusal } from '../domain/core/refusal.ts'
import type { Account, AccountIdentity } from '../domain/records/account.ts'
import { cardPage, type HtmlPage } from './html-page.ts'

const retryHint = 'Request a new link where you got this one.'

export const connectedPage = (platform: { name: string; color: string }, { username }: Account): HtmlPage =>
  cardPage(200, {
    color: platform.color,
    isSuccess: true,
    title: `Connected to ${platform.name}`,
    text: `Videos can now be posted as ${username}. You can close this page.`,
  })

interface Choice {
  state: string
  accounts: readonly AccountIdentity[]
  workspaceName: string
  profileName: string
}

/**
 * One button per account, also for a single one: the user confirms for whom it is connected. The form sends the choice
 * back to this URL, with a new state.
 */
export const choicePage = (
  platform: { name: string; color: string },
  { state, accounts, workspaceName, profileName }: Choice,
): HtmlPage =>
  cardPage(200, {
    color: platform.color,
    isSuccess: true,
    title: accounts.length > 1 ? `Which account on ${platform.name}?` : `Connect to ${platform.name}?`,
    text:
      `The workspace “${workspaceName}” will post videos as ${accounts.length > 1 ? 'the account that you choose' : 'this account'} ` +
      `(profile “${profileName}”). Close this page if you do not know it.`,
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
    title: 'No account was connected',
    text: `${name} reports that access was denied or could not be requested. ${retryHint}`,
  })

/** A refusal shows its reason; a fault shows only the request id. */
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
  title: 'This link has expired',
  text: `A link works once and expires after ten minutes. ${retryHint}`,
})

const errorPage = (status: number, requestId: string) =>
  cardPage(status, {
    isSuccess: false,
    title: 'Something went wrong',
    text: `The account was not connected. ${retryHint}`,
    small: `Request ${requestId}`,
  })
