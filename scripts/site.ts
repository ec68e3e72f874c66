/** `npm run site`: writes the documents as a static site to `site/`. It needs no network, and its pages make no request elsewhere. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tokensMax } from './site/agents.ts'
import { siteFiles } from './site/files.ts'

const folder = join(import.meta.dirname, '../site')
const files = siteFiles()
rmSync(folder, { recursive: true, force: true })
for (const [path, content] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}
const bytes = [...files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0)
const pages = [...files.keys()].filter((path) => path.endsWith('.html')).length
const tokens = tokensMax(String(files.get('llms-full.txt')))
console.log(
  `site/: ${pages} pages, ${files.size} files, ${(bytes / 1e6).toFixed(1)} MB; llms-full.txt has at most ${tokens} tokens.`,
)
