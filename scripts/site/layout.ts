/** The frame of every HTML page: navigation, search, the contents of the page. It names no other origin. */
import type { RenderedPage, Section } from './markdown.ts'
import { escapeHtml } from './markdown.ts'
import { type NavigationGroup, relativeLink, type SitePage } from './pages.ts'

export const htmlPath = (path: string) => path.replace(/\.md$/, '.html')

export function htmlPage(page: SitePage, { html, sections }: RenderedPage, groups: NavigationGroup[]): string {
  const link = (path: string) => relativeLink(page.path, htmlPath(path))
  const title = sections[0]?.title ?? 'Reelsmith'
  const root = relativeLink(page.path, 'site.css').slice(0, -'site.css'.length)
  const all = groups.flatMap(({ entries }) => entries)
  const at = all.findIndex(({ path }) => path === page.path)
  const step = (rel: string, entry: (typeof all)[number] | undefined) =>
    entry ? `<a rel="${rel}" href="${link(entry.path)}">${escapeHtml(entry.title)}</a>` : '<span></span>'
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}${page.path === 'index.md' ? '' : ' · Reelsmith'}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}site.css">
<link rel="alternate" type="text/markdown" href="${relativeLink(page.path, page.path)}">
<script src="${root}site.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<button class="menu" type="button" popovertarget="pages">Menu</button>
<a class="brand" href="${link('index.md')}">Reelsmith</a>
<search hidden><input type="search" placeholder="Search" aria-label="Search the documents" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"><div class="results" role="status" hidden></div></search>
</header>
<nav id="pages" popover aria-label="Pages">
${groups.map((group) => groupHtml(group, page.path, link)).join('\n')}
</nav>
<main id="main" tabindex="-1">
<article${page.source === undefined ? ' class="reference"' : ''}>
${html}</article>
<footer>
${step('prev', at < 0 ? undefined : all[at - 1])}
<a href="${relativeLink(page.path, page.path)}">This page as Markdown</a>
${step('next', at < 0 ? undefined : all[at + 1])}
</footer>
</main>
${contents(sections)}
</body>
</html>
`
}

function groupHtml(
  { title, isFolded, entries }: NavigationGroup,
  current: string,
  link: (path: string) => string,
): string {
  const items = entries.map(
    ({ title: name, path }) =>
      `<li><a href="${link(path)}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`,
  )
  const list = `<ul>${items.join('')}</ul>`
  if (!isFolded) return `<h2>${escapeHtml(title)}</h2>${list}`
  const isOpen = entries.some(({ path }) => path === current)
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary>${list}</details>`
}

function contents(sections: Section[]): string {
  const parts = sections.filter(({ level }) => level === 2)
  if (parts.length < 3) return ''
  const items = parts.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`
}
