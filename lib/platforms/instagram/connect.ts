/**
 * Connects professional Instagram accounts through their linked Facebook Page
 * (https://developers.facebook.com/docs/instagram-platform).
 */
import * as v from 'valibot'
import { type PagesUrls, pagesConnector } from '../meta/pages.ts'

const account = v.pipe(
  v.object({
    instagram_business_account: v.optional(
      v.object({
        id: v.string(),
        username: v.string(),
        name: v.optional(v.string()),
        profile_picture_url: v.optional(v.string()),
      }),
    ),
  }),
  v.transform(({ instagram_business_account: linked }) => {
    if (!linked) return null
    const { id: externalId, username, name, profile_picture_url: pictureUrl = null } = linked
    return { externalId, username, displayName: name || username, pictureUrl }
  }),
)

export const instagramConnector = (urls: PagesUrls) =>
  pagesConnector(
    {
      platform: 'instagram',
      scopes: ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'],
      fields: 'instagram_business_account{id,username,name,profile_picture_url}',
      account,
      noAccountMessage: 'You granted access to no Facebook Page with a professional Instagram account.',
    },
    urls,
  )
