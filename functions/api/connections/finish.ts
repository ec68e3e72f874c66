/** The OAuth callback: lets the user confirm the account, connects it, and responds with HTML pages. */

import * as routes from '../../../lib/contract/routes/profiles.ts'
import { platforms } from '../../../lib/domain/core/platform.ts'
import { notFound } from '../../../lib/domain/core/refusal.ts'
import { choicePage, connectedPage, deniedPage, failedPage } from '../../../lib/http/connection-pages.ts'
import { htmlEndpoint } from '../../../lib/http/html-endpoint.ts'
import {
  cancelConnection,
  finishAccountChoice,
  finishConnection,
} from '../../../lib/use-cases/accounts/connect-account.ts'

export const handler = htmlEndpoint(
  routes.finishConnection,
  async ({ params, query: { state = '', code, account } }) => {
    const platform = platforms.find(({ id }) => id === params.platform)
    if (!platform) throw notFound('connection')
    if (account) return connectedPage(platform, await finishAccountChoice(platform.id, state, account))
    if (!code) return cancelConnection(platform.id, state).then(() => deniedPage(platform.name))
    return choicePage(platform, await finishConnection(platform.id, state, code))
  },
  failedPage,
)
