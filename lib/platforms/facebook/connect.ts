/** Connects Facebook Pages (https://developers.facebook.com/docs/graph-api/reference/user/accounts). */
import * as v from 'valibot'
import { type PagesUrls, pagesConnector } from '../meta/pages.ts'

const account = v.pipe(
  v.object({
    id: v.string(),
    name: v.string(),
    username: v.optional(v.string()),
    picture: v.optional(v.object({ data: v.object({ url: v.string() }) })),
  }),
  v.transform(({ id: externalId, name, username = name, picture }) => ({
    externalId,
    username,
    displayName: name,
    pictureUrl: picture?.data.url ?? null,
  })),
)

export const facebookConnector = (urls: PagesUrls) =>
  pagesConnector(
    {
      platform: 'facebook',
      scopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
      fields: 'id,name,username,picture{url}',
      account,
      noAccountMessage: 'You granted access to no Facebook Page on which you may post.',
    },
    urls,
  )
