// The page that shows what has appeared: a column for each platform, a card with the playable film for each post, the newest first.

import { platforms } from '../../lib/domain/platform.ts'
import type { LedgerPost } from './ledger.ts'
import type { Sandbox } from './server.ts'
import { wallStyle } from './wall-style.ts'

/** A browser shows this many films of a platform at most: each is loaded. */
const cardsMax = 30

export function wallPage({ ledger, platforms: spoken, clock, tokens }: Sandbox): string {
  const walls = platforms
    .filter(({ id }) => spoken.some((platform) => platform.id === id))
    .map((platform) => ({
      ...platform,
      posts: ledger
        .list({ platform: platform.id })
        .toReversed()
        .map((post) => ({ ...post, account: tokens.usernameOf(platform.id, post.account) ?? post.account })),
    }))
  const count = walls.reduce((sum, { posts }) => sum + posts.length, 0)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox network</title>
<style>${wallStyle}</style>
</head>
<body>
<header>
<h1>Sandbox network</h1>
<p>${count} ${count === 1 ? 'post' : 'posts'} on ${walls.length} platforms. Nothing here has left this machine.</p>
<time>${escaped(timeOf(clock.now()))}</time>
</header>
<main>${walls.map(column).join('')}</main>
</body>
</html>
`
}

const column = ({ name, color, posts }: { name: string; color: string; posts: readonly LedgerPost[] }) => `
<section style="--brand: ${color}">
<h2><i></i>${escaped(name)}<span>${posts.length || ''}</span></h2>
${posts.length === 0 ? '<p class="empty">No posts yet</p>' : posts.slice(0, cardsMax).map(card).join('')}
</section>`

const card = ({ sha256, account, title, caption, at, fields }: LedgerPost) => `
<article>
<video src="/__sandbox/media/${sha256}.mp4" controls loop playsinline preload="metadata"></video>
<div>
<p class="by"><b>${escaped(account)}</b><time>${escaped(timeOf(at))}</time></p>
${title ? `<h3>${escaped(title)}</h3>` : ''}
${caption ? `<p class="caption">${escaped(caption)}</p>` : ''}
${tags(fields)}
</div>
</article>`

function tags(fields: LedgerPost['fields']): string {
  const all = Object.entries(fields).map(([name, value]) => `<li>${escaped(name)}: ${escaped(String(value))}</li>`)
  return all.length > 0 ? `<ul>${all.join('')}</ul>` : ''
}

const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const timeOf = (at: number) => time.format(at)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter]!)
