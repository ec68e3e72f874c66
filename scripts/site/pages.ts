/** Which documents are pages of the site, where, and in which order. The navigation is `docs/README.md`, the map of the documents. */
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SitePage {
  /** The path in the site, ending in `.md`; the HTML page is beside it. */
  path: string
  /** The file in the repository. A page without one is generated. */
  source?: string
  markdown: string
}

export interface NavigationGroup {
  title: string
  /** Closed, except on its own pages. */
  isFolded: boolean
  entries: { title: string; path: string }[]
}

/** Pages that are not at their path below `docs/`. */
const moved: Record<string, string> = {
  'README.md': 'index.md',
  'docs/README.md': 'map.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'AGENTS.md': 'agents.md',
  'local/README.md': 'local.md',
  'state-machines/README.md': 'state-machines.md',
  'packages/client/README.md': 'packages/client.md',
  'packages/python/README.md': 'packages/python.md',
  'packages/cli/README.md': 'packages/cli.md',
}

export const readSource = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** The Markdown files of the repository that are pages. */
export function documentPages(): SitePage[] {
  const documents = globSync('docs/**/*.md', { cwd: root }).toSorted()
  return [...new Set([...Object.keys(moved), ...documents])].map((source) => ({
    source,
    path: moved[source] ?? source.slice('docs/'.length),
    markdown: readSource(source).replace(/^Written by `npm run [\w:]+`; do not edit\.\n\n/m, ''),
  }))
}

/** The pictures beside the documents, by their path in the site. */
export const pictureFiles = (): Map<string, Buffer> =>
  new Map(
    globSync('docs/**/*.{jpg,png,svg}', { cwd: root })
      .toSorted()
      .map((file) => [file.slice('docs/'.length), readFileSync(`${root}${file}`)]),
  )

/** The tables of the map: a group for each heading, an entry for each row that leads to a page, by the title of a page of `docs/`. */
export function navigation(map: string, reference: { title: string; path: string }[]): NavigationGroup[] {
  const groups = map
    .split(/^## /m)
    .slice(1)
    .flatMap((part): NavigationGroup[] => {
      const [heading = ''] = part.split('\n', 1)
      const title = heading.split(':')[0]!
      const entries = part.split('\n').flatMap((line) => {
        const [, first = '', second = ''] = /^\| (.+?) \| (.+?) \|/.exec(line) ?? []
        // A row of the decisions begins with its link, which is a number.
        const isNumbered = /^\[\d+\]/.test(first)
        const target = /^\[[^\]]*\]\(([^)#]+)\)/.exec(isNumbered ? first : second)?.[1]
        const path = target && sitePath(posix.join('docs', target))
        if (!path) return []
        const isDocument = !target.startsWith('..')
        return [{ title: isDocument ? titleOf(readSource(`docs/${target}`)) : plain(first), path }]
      })
      return entries.length > 0 ? [{ title, isFolded: title === 'Decisions', entries }] : []
    })
  const [guides, ...others] = groups
  const start = { title: 'Start', isFolded: false, entries: [{ title: 'Overview', path: 'index.md' }] }
  return [start, guides!, { title: 'API', isFolded: false, entries: reference }, ...others]
}

/** The path in the site of a Markdown file of the repository, if it has one. */
export function sitePath(source: string): string | undefined {
  if (moved[source]) return moved[source]
  return source.startsWith('docs/') && source.endsWith('.md') ? source.slice('docs/'.length) : undefined
}

/** A link in a document as a path of the site, or undefined if the site does not have its target. */
export function resolveLink(page: SitePage, target: string): { path: string; hash: string } | undefined {
  const [file = '', fragment] = target.split('#')
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (file === '') return { path: page.path, hash }
  const folder = posix.dirname(page.source ?? page.path)
  const joined = posix.join(folder, file)
  if (page.source === undefined) return { path: joined, hash }
  const path =
    sitePath(joined) ?? (/^docs\/.*\.(jpg|png|svg|json)$/.test(joined) ? joined.slice('docs/'.length) : undefined)
  return path === undefined ? undefined : { path, hash }
}

/** The link from one page of the site to another path of it. */
export const relativeLink = (from: string, to: string) => posix.relative(posix.dirname(from), to) || posix.basename(to)

export const titleOf = (markdown: string) => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? '')

const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
