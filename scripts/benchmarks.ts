/**
 * `npm run benchmarks`: writes docs/operations/benchmarks.md from bench/results. It is idempotent; a test fails while the committed page differs
 * from its output.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readResult } from '../bench/result-files.ts'
import { type Results, sectionOf } from './benchmarks/markdown.ts'
import {
  editSection,
  generationSection,
  laneSection,
  previewSection,
  remotionSection,
  renderSection,
  scriptSection,
  uploadSection,
} from './benchmarks/media-sections.ts'
import {
  automationSection,
  coldStartSection,
  hostilitySection,
  listSection,
  loadSection,
  routeSection,
  webhookSection,
} from './benchmarks/service-sections.ts'

/** The results of all benches except `usage`, which docs/operations/cost.md is written from. */
export const readResults = (): Results => ({
  render: readResult('render'),
  lane: readResult('lane'),
  edits: readResult('edits'),
  remotion: readResult('remotion'),
  generate: readResult('generate'),
  script: readResult('script'),
  load: readResult('load'),
  hostility: readResult('hostility'),
  api: readResult('api'),
  lists: readResult('lists'),
  webhooks: readResult('webhooks'),
  automations: readResult('automations'),
  preview: readResult('preview'),
  upload: readResult('upload'),
  cold: readResult('cold'),
})

export function benchmarksPage(results: Results): string {
  const parts = [
    '# Benchmarks',
    'Written by `npm run benchmarks`; do not edit.',
    `All figures of a table come from one run in which the candidates alternate; with several rounds, each figure is the median.
\`npm run bench\` repeats every bench, one after the other on an idle machine, and writes this page and [cost.md](cost.md).
\`npm run bench -- without render remotion\` skips some; \`npm run bench:load -- keep\` and then \`npm run benchmarks\` updates one section. The
figures are stored in [bench/results](../../bench/results), the goals in [bench/figures.ts](../../bench/figures.ts).`,
    sectionOf(renderSection, results),
    sectionOf(laneSection, results),
    sectionOf(editSection, results),
    sectionOf(remotionSection, results),
    sectionOf(generationSection, results),
    sectionOf(scriptSection, results),
    sectionOf(loadSection, results),
    sectionOf(hostilitySection, results),
    sectionOf(routeSection, results),
    sectionOf(listSection, results),
    sectionOf(webhookSection, results),
    sectionOf(automationSection, results),
    sectionOf(previewSection, results),
    sectionOf(uploadSection, results),
    sectionOf(coldStartSection, results),
  ]
  return `${parts.join('\n\n')}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(join(import.meta.dirname, '../docs/operations/benchmarks.md'), benchmarksPage(readResults()))
