/** Renders Markdown to HTML with highlighted code, and names its headings as GitHub does. Reads no file. */
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Token } from 'marked'

export interface Section {
  level: number
  id: string
  title: string
  /** The words below the heading, without markup. */
  text: string
}

export interface RenderedPage {
  html: string
  /** The first one is the title of the page. */
  sections: Section[]
}

/** The link of a page of the site, or undefined where the target is not part of it. */
export type Resolve = (target: string) => string | undefined

for (const [name, language] of Object.entries({ sh: bash, http, json, python, ts: typescript, yaml }))
  highlighter.registerLanguage(name, language)

export function renderMarkdown(markdown: string, resolve: Resolve): RenderedPage {
  const sections: Section[] = []
  const idOf = headingIds()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = textOf(tokens)
        const id = idOf(title)
        sections.push({ level: depth, id, title, text: '' })
        const inner = this.parser.parseInline(tokens)
        // A heading that is a link leads there instead.
        if (depth === 1 || inner.includes('<a ')) return `<h${depth} id="${id}">${inner}</h${depth}>\n`
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const language = lang.split(' ')[0]!
        addText(text)
        if (language === 'mermaid') return stateList(text)
        const code = highlighter.getLanguage(language)
          ? highlighter.highlight(text, { language }).value
          : escapeHtml(text)
        return `<pre tabindex="0"><code>${code}</code></pre>\n`
      },
      paragraph({ tokens }) {
        addText(textOf(tokens))
        return `<p>${this.parser.parseInline(tokens)}</p>\n`
      },
      listitem(item) {
        if (!item.loose) addText(textOf(item.tokens))
        return `<li>${this.parser.parse(item.tokens)}</li>\n`
      },
      table({ header, rows }) {
        addText(rows.map((row) => row.map(({ tokens }) => textOf(tokens)).join(' ')).join(' '))
        const line = (cells: typeof header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}${cell.text.length > 30 ? ' class="long"' : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`
        const head = header.some(({ text }) => text) ? `<thead>${line(header, 'th')}</thead>` : ''
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table></div>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`
        const target = resolve(href)
        // A file of the repository that the site does not have.
        return target === undefined
          ? `<span class="file">${inner}</span>`
          : `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(resolve(href) ?? href)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
    },
  })
  const addText = (text: string) => {
    const last = sections.at(-1)
    if (last) last.text += `${last.text && ' '}${text.replaceAll(/\s+/g, ' ').trim()}`
  }
  return { html: marked.parse(markdown, { async: false }), sections }
}

/** The words of tokens, without markup. */
function textOf(tokens: Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? unescapeHtml(token.text) : '',
    )
    .join('')
}

/** Ids as GitHub makes them; a repeated one gets a number. */
export function headingIds(): (title: string) => string {
  const seen = new Map<string, number>()
  return (title) => {
    const id = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = seen.get(id) ?? 0
    seen.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}

/** A state diagram as a list: a site without a script of 3 MB cannot draw it. */
function stateList(diagram: string): string {
  const byState = new Map<string, string[]>()
  for (const [, from = '', to = '', label] of diagram.matchAll(/^ +(\S+) --> (\S+?)(?:: (.+))?$/gm)) {
    const name = to === '[*]' ? 'end' : to
    byState.set(from, [
      ...(byState.get(from) ?? []),
      `<b>${escapeHtml(name)}</b>${label ? ` (${escapeHtml(label)})` : ''}`,
    ])
  }
  const items = [...byState].map(
    ([from, to]) => `<li><b>${escapeHtml(from === '[*]' ? 'start' : from)}</b> → ${to.join(', ')}</li>`,
  )
  return `<ul class="states">${items.join('')}</ul>\n`
}

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
