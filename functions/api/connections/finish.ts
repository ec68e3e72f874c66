/** Where a platform sends its user back to: connects the account, and says so on a page. */
import { dropConnection, finishConnection } from '../../../lib/actions/connect.ts'
import { connectedPage, deniedPage, failedPage } from '../../../lib/api/connection-pages.ts'
import { pageEndpoint } from '../../../lib/api/page.ts'
import * as routes from '../../../lib/api/routes.ts'
import { platforms } from '../../../lib/domain/platform.ts'
import { notFound } from '../../../lib/domain/refusal.ts'

export const handler = pageEndpoint(
  routes.finishConnection,
  async ({ params, query: { state = '', code } }) => {
    const platform = platforms.find(({ id }) => id === params.platform)
    if (!platform) throw notFound('connection')
    if (!code) return dropConnection(platform.id, state).then(() => deniedPage(platform.name))
    return connectedPage(platform, await finishConnection(platform.id, state, code))
  },
  failedPage,
)
