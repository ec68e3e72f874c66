/** All files of the site by their path, from the documents and the committed generated files. Deterministic; starts nothing. */

import { llmsFullText, llmsText, skillFiles } from './agents.ts'
import { brunoCollection, postmanCollection } from './collections.ts'
import { htmlPage, htmlPath } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import {
  documentPages,
  navigation,
  pictureFiles,
  readSource,
  relativeLink,
  resolveLink,
  type SitePage,
  titleOf,
} from './pages.ts'
import { type Callers, referencePages } from './reference.ts'
import type { Specification } from './specification.ts'

/** Pages of rows that nobody searches by their words: their headings are enough. */
const isTable = (path: string) => /^(api\/|reference\/(conformance|iam)|operations\/cost)/.test(path)

const skill = 'skills/reelsmith/SKILL.md'

export function siteFiles(): Map<string, string | Buffer> {
  const document: Specification = JSON.parse(readSource('docs/openapi.json'))
  const reference = Object.entries(referencePages(document, callers()))
  const pages: SitePage[] = [
    ...documentPages(),
    ...reference.map(([path, markdown]) => ({ path, markdown: `${markdown}\n` })),
  ]
  const groups = navigation(
    readSource('docs/README.md'),
    reference.map(([path, markdown]) => ({ path, title: titleOf(markdown).replace('API: ', '') })),
  )
  const index: [path: string, id: string, page: string, title: string, text: string][] = []
  const files = new Map<string, string | Buffer>(pictureFiles())
  for (const page of pages) {
    const rendered = renderMarkdown(page.markdown, (target) => linkFrom(page, target, htmlPath))
    files.set(htmlPath(page.path), htmlPage(page, rendered, groups))
    files.set(page.path, markdownOf(page))
    const [first] = rendered.sections
    for (const { id, title, text, level } of rendered.sections)
      index.push([htmlPath(page.path), level === 1 ? '' : id, first!.title, title, isTable(page.path) ? '' : text])
  }
  const { summary } = document.info
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const others: Record<string, string> = {
    'site.css': readSource('scripts/site/assets/site.css'),
    'site.js': readSource('scripts/site/assets/site.js'),
    // A script, since a page that was opened as a file may not fetch.
    'search-index.js': `self.searchIndex=${JSON.stringify(index)}\n`,
    'openapi.json': readSource('docs/openapi.json'),
    'reelsmith.postman_collection.json': json(postmanCollection(document)),
    'reelsmith.bruno_collection.json': json(brunoCollection(document)),
    'llms.txt': llmsText(summary, pages, groups),
    'llms-full.txt': llmsFullText(summary, pages),
    ...skillFiles(markdownOf({ source: skill, path: `.well-known/agent-${skill}`, markdown: readSource(skill) })),
  }
  for (const [path, text] of Object.entries(others)) files.set(path, text)
  return files
}

function linkFrom(page: SitePage, target: string, rename: (path: string) => string): string | undefined {
  const found = resolveLink(page, target)
  if (!found) return undefined
  if (target.startsWith('#')) return found.hash
  return relativeLink(page.path, rename(found.path)) + found.hash
}

/** The document with links as the site has them; a link to a file that it does not have keeps its words. */
function markdownOf(page: SitePage): string {
  const outsideOfCode = page.markdown.split(/(^ *```[\s\S]*?^ *```$)/m)
  return outsideOfCode
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, text: string, target: string) => {
            if (/^https?:/.test(target)) return link
            const found = linkFrom(page, target, (path) => path)
            return found === undefined ? text : `[${text}](${found})`
          }),
    )
    .join('')
}

/** The names of each operation elsewhere, from the tables of the command line and of MCP. */
function callers(): Callers {
  interface Row {
    id: string
    group: string
    verb: string
    parameters: { name: string; example: string }[]
  }
  const { operations } = JSON.parse(readSource('packages/cli/operations.json')) as { operations: Row[] }
  const tools = JSON.parse(readSource('lib/mcp/tools.json')) as {
    listed: { name: string }
    request: { operation: string }
  }[]
  return {
    clients: Object.fromEntries(operations.map((row) => [row.id, row])),
    tools: Object.fromEntries(
      Object.entries(Object.groupBy(tools, ({ request }) => request.operation)).map(([operation, found]) => [
        operation,
        found!.map(({ listed }) => listed.name),
      ]),
    ),
  }
}
