/** Routes: profiles, and connecting accounts of social platforms to them. */

import * as v from 'valibot'
import { listOf } from '../../domain/core/bounded.ts'
import { beginConnectionRequest, getProfileQuery, listProfilesQuery } from '../requests/profiles.ts'
import { connection } from '../resources/connections.ts'
import { profile } from '../resources/profiles.ts'
import { route } from '../route.ts'
import { pageLimitMax } from '../schemas.ts'

export const listProfiles = route({
  signature: 'GET /profiles',
  handler: 'profiles/list',
  summary: 'List the profiles of the workspace with their accounts, the default profile first',
  description: 'The accounts are shown as stored; `GET /profiles/{id}?refresh=true` reads them from their platforms.',
  query: listProfilesQuery,
  paged: true,
  returns: listOf(profile, pageLimitMax),
})

export const getProfile = route({
  signature: 'GET /profiles/{id}',
  handler: 'profiles/get',
  summary: 'Get a profile with its accounts',
  description: '`health` of an account says whether posting to it works.',
  query: getProfileQuery,
  parameters: {
    refresh: {
      description:
        '`true` or `1`: first read the identity of each connected account from its platform. If a platform does not respond, its ' +
        'account stays as it was; if it refuses our credentials, the account becomes `expired`. Takes at most 20 seconds.',
    },
  },
  returns: profile,
  permissions: ['connect'],
})

export const beginConnection = route({
  signature: 'POST /profiles/{id}/connections',
  handler: 'connections/begin',
  summary: 'Create a URL that connects an account to a profile',
  description:
    'Send the user to the URL. It works once and expires after ten minutes. The account is connected when the user has consented and confirmed it.',
  status: 201,
  body: beginConnectionRequest,
  bodyExample: { platform: 'tiktok' },
  returns: connection,
  permissions: ['sealConsent'],
  refuses: ['warning-invalid-input', 'warning-publish-not-configured'],
})

export const finishConnection = route({
  signature: 'GET /connections/{platform}/callback',
  handler: 'connections/finish',
  summary: 'OAuth callback of the platforms: an HTML page to confirm the account, then one with the result',
  description:
    'The platform redirects the browser of the user here. The state in the URL works once. The page names the workspace and the profile; the account is connected when the user confirms it.',
  isPublic: true,
  returns: v.string(),
  permissions: ['unsealConsent', 'sealConsent', 'connect'],
})
