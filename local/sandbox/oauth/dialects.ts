// The OAuth differences of each platform: paths, scopes, client authentication, lifetimes of codes and refresh tokens. From the platforms'
// pages on authorization, read in 2026-11; the `connect.ts` of each platform in `lib/platforms` links them.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'

export interface Dialect {
  /** Path of the consent page. */
  authorizePath: string
  /** Path of the token endpoint; absent for Meta, which has its own. */
  tokenPath?: string
  separator: ' ' | ','
  /** Available scopes. */
  scopes: readonly string[]
  clientField: 'client_id' | 'client_key'
  clientAuth: 'basic' | 'form'
  pkce: 'none' | 'allowed' | 'required'
  codeSeconds: number
  /** Refresh tokens; absent if there are none. `wants`: fields and scopes without which none is issued. */
  refresh?: {
    seconds: number | null
    isUsedOnce: boolean
    wants?: { fields?: Readonly<Record<string, string>>; scope?: string }
  }
  /** Additional fields of the consent page, and of the token endpoint with a code. */
  extraFields?: readonly string[]
  codeFields?: readonly string[]
  /** Errors have status 200. */
  errorsWithStatus200?: true
  /** Error codes are numbers, all with status 401. */
  numericErrorCodes?: Readonly<Record<string, number>>
  /** Additional or missing fields of the token response. */
  tokenResponse?: { typeless?: true; refreshEnds?: string; openId?: true }
  /** The required scope by operation; none for operations that are not listed. */
  requiredScopes: Readonly<Record<string, string>>
}

const dayS = 86_400
const googleScope = (name: string) => `https://www.googleapis.com/auth/${name}`

const meta = {
  separator: ',',
  clientField: 'client_id',
  clientAuth: 'form',
  pkce: 'none',
  codeSeconds: 600,
} as const

export const dialects: Partial<Record<PlatformId, Dialect>> = {
  tiktok: {
    authorizePath: '/tiktok/www/v2/auth/authorize/',
    tokenPath: '/tiktok/api/v2/oauth/token/',
    separator: ',',
    scopes: ['user.info.basic', 'video.publish', 'video.upload'],
    clientField: 'client_key',
    clientAuth: 'form',
    pkce: 'none',
    codeSeconds: 600,
    refresh: { seconds: 365 * dayS, isUsedOnce: true },
    errorsWithStatus200: true,
    tokenResponse: { refreshEnds: 'refresh_expires_in', openId: true },
    requiredScopes: {
      identity: 'user.info.basic',
      creator: 'video.publish',
      init: 'video.publish',
      status: 'video.publish',
    },
  },
  youtube: {
    authorizePath: '/google/accounts/o/oauth2/v2/auth',
    tokenPath: '/google/oauth/token',
    separator: ' ',
    scopes: [googleScope('youtube.upload'), googleScope('youtube.readonly')],
    clientField: 'client_id',
    clientAuth: 'form',
    pkce: 'allowed',
    codeSeconds: 600,
    refresh: {
      seconds: null,
      isUsedOnce: false,
      wants: { fields: { access_type: 'offline', prompt: 'consent' } },
    },
    extraFields: ['access_type', 'prompt'],
    requiredScopes: {
      identity: googleScope('youtube.readonly'),
      list: googleScope('youtube.readonly'),
      begin: googleScope('youtube.upload'),
      upload: googleScope('youtube.upload'),
    },
  },
  instagram: {
    ...meta,
    extraFields: ['auth_type'],
    authorizePath: '/instagram/www/v26.0/dialog/oauth',
    scopes: ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'],
    requiredScopes: {
      pages: 'pages_show_list',
      identity: 'instagram_basic',
      read: 'instagram_basic',
      create: 'instagram_content_publish',
      publish: 'instagram_content_publish',
    },
  },
  facebook: {
    ...meta,
    extraFields: ['auth_type'],
    authorizePath: '/facebook/www/v26.0/dialog/oauth',
    scopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
    requiredScopes: {
      pages: 'pages_show_list',
      identity: 'pages_read_engagement',
      read: 'pages_read_engagement',
      phase: 'pages_manage_posts',
      upload: 'pages_manage_posts',
    },
  },
  threads: {
    ...meta,
    authorizePath: '/threads/www/oauth/authorize',
    scopes: ['threads_basic', 'threads_content_publish'],
    requiredScopes: {
      identity: 'threads_basic',
      read: 'threads_basic',
      create: 'threads_content_publish',
      publish: 'threads_content_publish',
    },
  },
  twitter: {
    authorizePath: '/x/www/i/oauth2/authorize',
    tokenPath: '/x/2/oauth2/token',
    separator: ' ',
    scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
    clientField: 'client_id',
    clientAuth: 'basic',
    pkce: 'required',
    codeSeconds: 30,
    refresh: { seconds: 180 * dayS, isUsedOnce: true, wants: { scope: 'offline.access' } },
    requiredScopes: {
      identity: 'users.read',
      initialize: 'media.write',
      append: 'media.write',
      finalize: 'media.write',
      status: 'media.write',
      post: 'tweet.write',
      timeline: 'tweet.read',
    },
  },
  linkedin: {
    authorizePath: '/linkedin/www/oauth/v2/authorization',
    tokenPath: '/linkedin/www/oauth/v2/accessToken',
    separator: ' ',
    scopes: ['openid', 'profile', 'email', 'w_member_social'],
    clientField: 'client_id',
    clientAuth: 'form',
    pkce: 'none',
    codeSeconds: 1_800,
    tokenResponse: { typeless: true },
    requiredScopes: {
      identity: 'profile',
      'video-action': 'w_member_social',
      video: 'w_member_social',
      post: 'w_member_social',
    },
  },
  pinterest: {
    authorizePath: '/pinterest/www/oauth/',
    tokenPath: '/pinterest/api/v5/oauth/token',
    separator: ',',
    scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
    clientField: 'client_id',
    clientAuth: 'basic',
    pkce: 'none',
    codeSeconds: 600,
    refresh: { seconds: 60 * dayS, isUsedOnce: true },
    codeFields: ['continuous_refresh'],
    numericErrorCodes: { invalid_grant: 283, invalid_client: 2 },
    tokenResponse: { refreshEnds: 'refresh_token_expires_in' },
    requiredScopes: {
      identity: 'user_accounts:read',
      boards: 'boards:read',
      register: 'pins:write',
      media: 'pins:read',
      pin: 'pins:write',
      pins: 'pins:read',
    },
  },
  reddit: {
    authorizePath: '/reddit/www/api/v1/authorize',
    tokenPath: '/reddit/www/api/v1/access_token',
    separator: ' ',
    scopes: ['identity', 'submit', 'read', 'flair', 'history'],
    clientField: 'client_id',
    clientAuth: 'basic',
    pkce: 'none',
    codeSeconds: 600,
    refresh: { seconds: null, isUsedOnce: false, wants: { fields: { duration: 'permanent' } } },
    extraFields: ['duration'],
    errorsWithStatus200: true,
    requiredScopes: { identity: 'identity', lease: 'submit', submit: 'submit', list: 'history' },
  },
}

/** The client credentials of the local run on the platforms of the sandbox. */
export const sandboxClients = Object.fromEntries(
  Object.keys(dialects).map((platform) => [
    platform,
    { id: `sandbox-${platform}`, secret: `sandbox-${platform}-secret` },
  ]),
)
