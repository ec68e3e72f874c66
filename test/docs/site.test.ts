/** The site of the documents: no dead link, nothing of another origin, every operation in the reference and in the collections. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openApiDocument, sortedRoutes } from '../../lib/contract/openapi/document.ts'
import { tokensMax } from '../../scripts/site/agents.ts'
import { siteFiles } from '../../scripts/site/files.ts'

const files = siteFiles()
const text = (path: string) => String(files.get(path))
const paths = [...files.keys()]
const pages = paths.filter((path) => path.endsWith('.html'))
const documents = paths.filter((path) => path.endsWith('.md') || path === 'llms.txt')
const ids = new Map(
  pages.map((page) => [page, new Set([...text(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
)
const withoutCode = (markdown: string) =>
  markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
const isExternal = (target: string) => /^(https?:|data:)/.test(target)

/** What a link of a page leads to and the site does not have. */
function dead(page: string, targets: string[]): string[] {
  return targets
    .filter((target) => !isExternal(target))
    .filter((target) => {
      const [file = '', hash] = target.split('#')
      const path = file ? posix.join(posix.dirname(page), file) : page
      const html = path.replace(/\.md$/, '.html')
      return !files.has(path) || (hash !== undefined && !ids.get(html)?.has(hash))
    })
    .map((target) => `${page} leads to ${target}`)
}

const attributes = (page: string) => [...text(page).matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target]) => target!)
const links = (page: string) => [...withoutCode(text(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)

describe('the site', () => {
  it('has no dead link, anchors included', () => {
    expect(pages.flatMap((page) => dead(page, attributes(page)))).toEqual([])
    expect(documents.flatMap((page) => dead(page, links(page)))).toEqual([])
  })

  it('finds a dead link', () => {
    expect(dead('guides/requests.html', ['none.html', 'limits.html#none', 'limits.html', '#errors'])).toEqual([
      'guides/requests.html leads to none.html',
      'guides/requests.html leads to limits.html#none',
    ])
  })

  it('loads nothing from another origin', () => {
    const loaded = pages.flatMap((page) =>
      [...text(page).matchAll(/<(?:script|link|img|iframe|source|video|audio)\b[^>]*? (?:href|src)="([^"]*)"/g)].map(
        ([, url]) => url!,
      ),
    )
    expect(loaded.filter((url) => /^(?:[a-z]+:)?\/\//.test(url))).toEqual([])
    expect(text('site.css')).not.toMatch(/url\(|@import/)
    expect(text('site.js')).not.toMatch(/https?:|fetch\(/)
    // The policy of the local run allows neither.
    expect(
      pages.filter((page) =>
        /<script>|<style| style=| on\w+="/.test(text(page).replaceAll(/<pre[\s\S]*?<\/pre>/g, '')),
      ),
    ).toEqual([])
  })

  it('has each page as Markdown too, and a title in each', () => {
    expect(pages.filter((page) => !files.has(page.replace(/html$/, 'md')))).toEqual([])
    expect(pages.filter((page) => !/<h1 id="[^"]+">.+<\/h1>/.test(text(page)))).toEqual([])
    expect(pages.filter((page) => !text('search-index.js').includes(`["${page}",`))).toEqual([])
  })

  it('is the same each time', () => {
    const again = siteFiles()
    expect(paths.filter((path) => !Buffer.from(again.get(path)!).equals(Buffer.from(files.get(path)!)))).toEqual([])
  })
})

describe('every operation', () => {
  const document = openApiDocument()
  const operations = sortedRoutes.map(({ name, method, path }) => ({ name, method, path }))

  it('is in the reference, with its fields', () => {
    const reference = paths
      .filter((path) => /^api\/.*\.md$/.test(path))
      .map(text)
      .join('\n')
    expect(
      operations.filter(({ name, method, path }) => !reference.includes(`\`${method} ${path}\` · \`${name}\``)),
    ).toEqual([])
    const events = Object.keys(document.webhooks).filter(
      (event) => !text('api/webhook-events.md').includes(`## ${event}\n`),
    )
    expect(events).toEqual([])
    const fields = Object.keys(document.components.schemas!.CreateVideoRequest!.properties as object)
    expect(fields.filter((field) => !text('api/videos.md').includes(`| \`${field}\` |`))).toEqual([])
  })

  it('is in the Postman collection', () => {
    interface Item {
      item: { request: { method: string; url: { raw: string }; body?: { raw: string } } }[]
    }
    const { item } = JSON.parse(text('reelsmith.postman_collection.json')) as { item: Item[] }
    const requests = item.flatMap(({ item: inner }) => inner.map(({ request }) => request))
    const signatures = requests.map(({ method, url }) => signature(method, url.raw))
    expect(signatures.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted())
    for (const { body } of requests) if (body) JSON.parse(body.raw)
  })

  it('is in the Bruno collection', () => {
    interface Folder {
      items: { request: { method: string; url: string; body: { json?: string } } }[]
    }
    const { items } = JSON.parse(text('reelsmith.bruno_collection.json')) as { items: Folder[] }
    const requests = items.flatMap(({ items: inner }) => inner.map(({ request }) => request))
    const signatures = requests.map(({ method, url }) => signature(method, url))
    expect(signatures.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted())
    for (const { body } of requests) if (body.json) JSON.parse(body.json)
  })

  const signature = (method: string, url: string) =>
    `${method} ${url.replace('{{baseUrl}}', '').replaceAll(/:(\w+)/g, '{$1}') || '/'}`
})

describe('what agents read', () => {
  it('llms.txt has a heading, a quote and lists of links', () => {
    expect(text('llms.txt')).toMatch(/^# Reelsmith\n\n> .+\n\n[^#]+\n\n## /)
    const lines = text('llms.txt')
      .split(/^## .+$/m)
      .slice(1)
      .join('')
      .split('\n')
      .filter(Boolean)
    expect(lines.filter((line) => !/^- \[[^\]]+\]\([^)]+\)(: .+)?$/.test(line))).toEqual([])
  })

  it('llms-full.txt has at most 60,000 tokens', () => {
    expect(tokensMax(text('llms-full.txt'))).toBeLessThanOrEqual(60_000)
  })

  it('the index of skills has the digest of each', () => {
    const index = '.well-known/agent-skills/index.json'
    const { skills } = JSON.parse(text(index)) as { skills: { url: string; digest: string }[] }
    for (const { url, digest } of skills) {
      const content = files.get(posix.join(posix.dirname(index), url))!
      expect(digest).toBe(`sha256:${createHash('sha256').update(content).digest('hex')}`)
    }
    expect(skills).toHaveLength(1)
  })

  const skill = readFileSync(new URL('../../skills/reelsmith/SKILL.md', import.meta.url), 'utf8')
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))

  it('the skill names commands, tools and routes that exist', () => {
    const { operations } = read('packages/cli/operations.json') as { operations: { group: string; verb: string }[] }
    const kebab = (verb: string) => verb.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const commands = new Set(operations.map(({ group, verb }) => `${group} ${kebab(verb)}`))
    const nouns = new Set(operations.map(({ group }) => group))
    const named = [...skill.matchAll(/\breelsmith ([a-z]+) ([a-z-]+)/g)].filter(([, noun]) => nouns.has(noun!))
    expect(named.length).toBeGreaterThan(8)
    expect(named.map(([, noun, verb]) => `${noun} ${verb}`).filter((command) => !commands.has(command))).toEqual([])
    const tools = new Set(
      (read('lib/mcp/tools.json') as { listed: { name: string } }[]).map(({ listed }) => listed.name),
    )
    const tokens = [...skill.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name!)
    expect(tokens.length).toBeGreaterThan(3)
    expect(tokens.filter((name) => !tools.has(name))).toEqual([])
    const paths = [...skill.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`]*)`/g)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    const routes = new Set(sortedRoutes.map(({ method, path }) => `${method} ${path}`))
    expect(paths.filter((path) => !routes.has(path))).toEqual([])
  })
})
