// The feed page: a column for each platform, a card with the playable video for each post, newest first. And the page of one post.

import { platforms } from '../../../lib/domain/core/platform.ts'
import { escapeHtml } from './escape-html.ts'
import { feedStyle } from './feed-style.ts'
import type { PublishedPost } from './published-posts.ts'
import type { Sandbox } from './sandbox.ts'

/** Posts per platform, the newest. */
const cardsMax = 30

/** A post with its time as shown. */
type FeedPost = PublishedPost & { time: string }
type Feed = (typeof platforms)[number] & { posts: FeedPost[] }

export function feedPage(sandbox: Sandbox): string {
  const { publishedPosts, platforms: served, clock } = sandbox
  const now = clock.now()
  const feeds = platforms
    .filter(({ id }) => served.some((platform) => platform.id === id))
    .map((platform) => ({
      ...platform,
      posts: publishedPosts
        .list({ platform: platform.id })
        .toReversed()
        .map((post) => asShown(post, sandbox)),
    }))
  const count = feeds.reduce((sum, { posts }) => sum + posts.length, 0)
  return document(
    'Sandbox',
    `<header>
<h1>Sandbox</h1>
<p>${count} ${count === 1 ? 'post' : 'posts'} on ${feeds.length} platforms. ${notSent}</p>
<time>${day.format(now)}, ${hour.format(now)}</time>
</header>
<main>${feeds.map(column).join('')}</main>`,
  )
}

/** The page that the URL of a post leads to, or undefined without such a post. */
export function postPage(sandbox: Sandbox, platformId: string, id: string): string | undefined {
  const platform = platforms.find((one) => one.id === platformId)
  const post = sandbox.publishedPosts.find(platformId, id)
  if (!platform || !post) return undefined
  return document(
    `${platform.name} · Sandbox`,
    `<header>
<h1><a href="/#${platform.id}">Sandbox</a></h1>
<p>A post on ${escapeHtml(platform.name)}. ${notSent}</p>
</header>
<main class="single"><section style="--brand: ${platform.color}">
<h2>${escapeHtml(platform.name)}</h2>
${card(asShown(post, sandbox))}
</section></main>`,
  )
}

const notSent = 'Nothing here was sent to a real platform.'

const asShown = (post: PublishedPost, { tokens, clock }: Sandbox): FeedPost => ({
  ...post,
  account: tokens.usernameOf(post.platform, post.account) ?? post.account,
  time: shortTime(post.at, clock.now()),
})

const document = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${feedStyle}</style>
</head>
<body>
${body}
</body>
</html>
`

const column = ({ id, name, color, posts }: Feed) => `
<section id="${id}" style="--brand: ${color}">
<h2>${escapeHtml(name)}<span>${posts.length || ''}</span></h2>
${posts.length === 0 ? '<p class="empty">No posts yet</p>' : posts.slice(0, cardsMax).map(card).join('')}
</section>`

const card = ({ platform, externalId, sha256, account, title, caption, time, fields }: FeedPost) => `
<article>
<p class="by"><i>${escapeHtml(account.charAt(0).toUpperCase())}</i><b>${escapeHtml(account)}</b><time><a href="/posts/${platform}/${encodeURIComponent(externalId)}">${time}</a></time></p>
<video src="/__sandbox/media/${sha256}.mp4" poster="/__sandbox/media/${sha256}.jpg" controls loop playsinline preload="none"></video>
<div>
${title ? `<h3>${escapeHtml(title)}</h3>` : ''}
${caption ? `<p class="caption">${escapeHtml(caption)}</p>` : ''}
${tags(fields)}
</div>
</article>`

/** Fields worth showing; the others are internal ids of the platform. */
const shownFields = ['privacy', 'visibility', 'subreddit']

function tags(fields: PublishedPost['fields']): string {
  const all = Object.entries(fields)
    .filter(([name]) => shownFields.includes(name))
    .map(([name, value]) => `<li title="${escapeHtml(name)}">${escapeHtml(String(value))}</li>`)
  return all.length > 0 ? `<ul>${all.join('')}</ul>` : ''
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
/** The time for posts of today, the date for older ones. */
const shortTime = (at: number, now: number) => (day.format(at) === day.format(now) ? hour : day).format(at)
