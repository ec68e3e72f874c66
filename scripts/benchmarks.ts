/**
 * `npm run benchmarks`: writes docs/operations/benchmarks.md of what the benches kept (bench/results). Running it twice changes nothing; a test fails
 * while the committed page differs from what it would write.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readResult } from '../bench/result-files.ts'
import { type Results, sectionOf } from './benchmarks/markdown.ts'
import { generationSection, remotionSection, renderSection, uploadSection } from './benchmarks/media-sections.ts'
import {
  automationSection,
  coldStartSection,
  listSection,
  loadSection,
  routeSection,
  webhookSection,
} from './benchmarks/service-sections.ts'

/** Of all benches but `usage`, which docs/operations/cost.md is written of. */
export const readResults = (): Results => ({
  render: readResult('render'),
  remotion: readResult('remotion'),
  generate: readResult('generate'),
  load: readResult('load'),
  api: readResult('api'),
  lists: readResult('lists'),
  webhooks: readResult('webhooks'),
  automations: readResult('automations'),
  upload: readResult('upload'),
  cold: readResult('cold'),
})

export function benchmarksPage(results: Results): string {
  const parts = [
    '# Benchmarks',
    'Written by `npm run benchmarks`; do not edit.',
    `What was measured, how, on what, and when. Figures of one table come from one run in which everything took turns; each is a median where there
are several rounds. \`npm run bench\` measures all of it anew, one after the other on a machine that does nothing else, and writes this page and
[cost.md](cost.md); \`npm run bench -- without render remotion\` leaves some out, and \`npm run bench:load -- keep\` with \`npm run benchmarks\`
measures one. The figures stand in [bench/results](../../bench/results), goals in [bench/figures.ts](../../bench/figures.ts).`,
    sectionOf(renderSection, results),
    sectionOf(remotionSection, results),
    sectionOf(generationSection, results),
    sectionOf(loadSection, results),
    sectionOf(routeSection, results),
    sectionOf(listSection, results),
    sectionOf(webhookSection, results),
    sectionOf(automationSection, results),
    sectionOf(uploadSection, results),
    sectionOf(coldStartSection, results),
  ]
  return `${parts.join('\n\n')}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(join(import.meta.dirname, '../docs/operations/benchmarks.md'), benchmarksPage(readResults()))
