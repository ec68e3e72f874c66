// The feed page: a column for each platform, a card with the playable video for each post, newest first.

import { platforms } from '../../../lib/domain/core/platform.ts'
import { feedStyle } from './feed-style.ts'
import type { PublishedPost } from './published-posts.ts'
import type { Sandbox } from './sandbox.ts'

/** Posts per platform, the newest. */
const cardsMax = 30

/** Labels for people. */
type WallPost = PublishedPost & { time: string }
type Wall = (typeof platforms)[number] & { posts: WallPost[] }

export function feedPage({ publishedPosts: ledger, platforms: spoken, clock, tokens }: Sandbox): string {
  const now = clock.now()
  const walls = platforms
    .filter(({ id }) => spoken.some((platform) => platform.id === id))
    .map((platform) => ({
      ...platform,
      posts: ledger
        .list({ platform: platform.id })
        .toReversed()
        .map((post) => ({
          ...post,
          account: tokens.usernameOf(platform.id, post.account) ?? post.account,
          time: shortTime(post.at, now),
        })),
    }))
  const count = walls.reduce((sum, { posts }) => sum + posts.length, 0)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox network</title>
<style>${feedStyle}</style>
</head>
<body>
<header>
<h1>Sandbox network</h1>
<p>${count} ${count === 1 ? 'post' : 'posts'} on ${walls.length} platforms. Nothing here has left this machine.</p>
<time>${day.format(now)}, ${hour.format(now)}</time>
</header>
<main>${walls.map(column).join('')}</main>
</body>
</html>
`
}

const column = ({ id, name, color, posts }: Wall) => `
<section id="${id}" style="--brand: ${color}">
<h2>${escapeHtml(name)}<span>${posts.length || ''}</span></h2>
${posts.length === 0 ? '<p class="empty">No posts yet</p>' : posts.slice(0, cardsMax).map(card).join('')}
</section>`

const card = ({ sha256, account, title, caption, time, fields }: WallPost) => `
<article>
<p class="by"><i>${escapeHtml(account.charAt(0).toUpperCase())}</i><b>${escapeHtml(account)}</b><time>${time}</time></p>
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

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter]!)
