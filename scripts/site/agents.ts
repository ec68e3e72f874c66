/** What an agent reads in place of the pages: `llms.txt`, `llms-full.txt` and the index of skills. */
import { createHash } from 'node:crypto'
import type { NavigationGroup, SitePage } from './pages.ts'

/** The pages of `llms-full.txt`: what a program that calls the API needs. Operation, decisions and the other tags are left to the links. */
const isForCallers = ({ path }: SitePage) =>
  path === 'glossary.md' ||
  path === 'reference/routes.md' ||
  path === 'api/videos.md' ||
  (path.startsWith('guides/') && !path.endsWith('/connecting.md')) ||
  /^packages\/(client|python)\.md$/.test(path)

const notes =
  'Base URLs end in `/v1`; requests carry `Authorization: Bearer KEY`. Each page is here as Markdown, and as HTML under the same name.'

/** https://llmstxt.org: a heading, a quote, and lists of links. */
export function llmsText(summary: string, pages: SitePage[], groups: NavigationGroup[]): string {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const sections = groups.map(({ title, isFolded, entries }) => {
    const lines = entries.map((entry) => {
      const intro = firstSentence(byPath.get(entry.path)!.markdown)
      return `- [${entry.title}](${entry.path})${intro ? `: ${intro}` : ''}`
    })
    // By the convention, what may be skipped where the context is short.
    return `## ${isFolded ? 'Optional' : title}\n\n${lines.join('\n')}`
  })
  const files = [
    '- [OpenAPI document](openapi.json): every operation, parameter and schema',
    '- [All guides in one file](llms-full.txt)',
    '- [Skill](.well-known/agent-skills/reelsmith/SKILL.md): how an agent uses API, command line and MCP',
    '- [Postman collection](reelsmith.postman_collection.json)',
    '- [Bruno collection](reelsmith.bruno_collection.json)',
  ]
  const [optional, rest] = [
    sections.filter((text) => text.startsWith('## Optional')),
    sections.filter((text) => !text.startsWith('## Optional')),
  ]
  return `${['# Reelsmith', `> ${summary}`, notes, ...rest, `## Files\n\n${files.join('\n')}`, ...optional].join('\n\n')}\n`
}

export function llmsFullText(summary: string, pages: SitePage[]): string {
  const parts = pages.filter(isForCallers).map((page) => `<!-- ${page.path} -->\n\n${essence(page).trim()}`)
  return `${['# Reelsmith', `> ${summary}`, notes, ...parts].join('\n\n')}\n`
}

/**
 * The most tokens that a text can be: a token for each 3 bytes. The o200k encoding makes one of about 4 bytes of these pages, other encodings
 * up to a quarter more. The tools of MCP are measured in the same way (`test/mcp/tools.test.ts`).
 */
export const tokensMax = (text: string) => Math.ceil(Buffer.byteLength(text) / 3)

/** https://agentskills.io, discovery 0.2.0. URLs are relative to the index, so that the site can be below any path. */
export function skillFiles(skill: string): Record<string, string> {
  const [, name = '', description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(skill) ?? []
  if (!name || !description) throw new Error('skills/reelsmith/SKILL.md must begin with its name and its description.')
  const index = {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name,
        type: 'skill-md',
        description,
        url: `${name}/SKILL.md`,
        digest: `sha256:${createHash('sha256').update(skill).digest('hex')}`,
      },
    ],
  }
  return {
    '.well-known/agent-skills/index.json': `${JSON.stringify(index, null, 2)}\n`,
    [`.well-known/agent-skills/${name}/SKILL.md`]: skill,
  }
}

function firstSentence(markdown: string): string {
  const paragraph = markdown.split('\n\n').find((part) => /^[A-Z`*]/.test(part)) ?? ''
  const text = paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
  return /^.+?[.:](?= [A-Z`]|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

/** Neither pictures nor what the OpenAPI document has: examples and status codes. */
const essence = ({ path, markdown }: SitePage) =>
  path.startsWith('api/')
    ? markdown.replaceAll(/^(?:<details>[\s\S]*?<\/details>|```[\s\S]*?^```|\*\*Errors\*\*.*)\n+/gm, '')
    : markdown.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
