// The identity endpoint of each platform: who the owner of a token is.

import * as v from 'valibot'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { type Operation, respond } from '../platforms/platform.ts'
import type { SandboxUser } from '../server/access-tokens.ts'
import type { SandboxRequest } from '../server/request.ts'

interface Identity {
  path: string
  /** The exact query parameters. */
  query: v.ObjectEntries
  toResponse(user: SandboxUser, ask: SandboxRequest): object
}

const identities: Partial<Record<PlatformId, Identity>> = {
  tiktok: {
    path: '/tiktok/api/v2/user/info/',
    query: { fields: v.string() },
    toResponse: ({ externalId: open_id, username }) => ({
      data: { user: { open_id, display_name: username, avatar_url: '' } },
      error: { code: 'ok', message: '', log_id: '20261120' },
    }),
  },
  youtube: {
    path: '/google/youtube/v3/channels',
    query: { part: v.literal('snippet'), mine: v.literal('true') },
    toResponse: ({ externalId: id, username }, { fault }) => ({
      kind: 'youtube#channelListResponse',
      ...(fault?.kind !== 'fail' && { items: [{ id, snippet: { title: username, customUrl: `@${username}` } }] }),
    }),
  },
  twitter: {
    path: '/x/2/users/me',
    query: { 'user.fields': v.optional(v.string()) },
    toResponse: ({ externalId: id, username }) => ({ data: { id, name: username, username } }),
  },
  linkedin: {
    path: '/linkedin/api/v2/userinfo',
    query: {},
    toResponse: ({ externalId, username: name }) => ({ sub: externalId.replace('urn:li:person:', ''), name }),
  },
  pinterest: {
    path: '/pinterest/api/v5/user_account',
    query: {},
    toResponse: ({ externalId: id, username }) => ({ id, username, account_type: 'BUSINESS', profile_image: '' }),
  },
  reddit: {
    path: '/reddit/oauth/api/v1/me',
    query: { raw_json: v.literal('1') },
    toResponse: ({ externalId: id, username: name }) => ({ id, name, icon_img: '' }),
  },
}

export function identityOperations(platform: PlatformId): Operation[] {
  const identity = identities[platform]
  if (!identity) return []
  const { path, query, toResponse: tell } = identity
  return [
    {
      op: 'identity',
      method: 'GET',
      path,
      needsToken: true,
      handle(ask) {
        ask.query(query)
        return respond(200, tell(ask.user, ask))
      },
    },
  ]
}
