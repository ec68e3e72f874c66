/** `npm run docs:pictures`: writes docs/guides/templates.md and its pictures, which are frames from the renderer. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tones } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import { frameSizes } from '../../lib/domain/records/brief.ts'
import { backgrounds, slideEntrances, slideLayouts } from '../../lib/render/slides/slide.ts'
import type { RgbFrame } from './caption-frames.ts'
import { contactSheet, writePicture } from './contact-sheet.ts'
import { type SlideVideo, slide, slideFrames } from './slide-frames.ts'
import { sampleOf, type TemplateSample, templateSamples } from './template-samples.ts'

const film = frameSizes['9:16']
const durationMs = 4_000
const docs = new URL('../../docs/guides/', import.meta.url)
const folder = 'pictures/templates'
const fileOf = (name: string) => `${folder}/${name}.jpg`

await rm(new URL(folder, docs), { recursive: true, force: true })
await mkdir(new URL(folder, docs), { recursive: true })
for (const sample of templateSamples) await save(sample.template, await overTime(sample))
await save('tones', await eachOf(tones, (tone) => one('heroTitle', { tone })))
await save('layouts', await eachOf(slideLayouts, (layout) => one('heroTitle', { params: { layout } })))
await save(
  'backgrounds',
  await eachOf(backgrounds, (presentationBackground) => ({ ...one('heroTitle'), theme: { presentationBackground } })),
)
await save(
  'landscape',
  await eachOf(
    ['flowSteps', 'timeline', 'comparison', 'quote'] as const,
    (template) => ({ ...one(template), film: frameSizes['16:9'] }),
    360,
  ),
  2,
)
await save(
  'square',
  await eachOf(
    ['bigNumber', 'bulletList', 'flowSteps', 'callToAction'] as const,
    (template) => ({ ...one(template), film: frameSizes['1:1'] }),
    180,
  ),
)
for (const entrance of slideEntrances) await save(`entrance-${entrance}`, await changeBy(entrance))
await save('colours', await slideFrames({ ...one('heroTitle'), theme: colours() }, [durationMs - 100], 200))
await writeFile(new URL('templates.md', docs), document())

function save(name: string, frames: RgbFrame[], columns = frames.length): Promise<void> {
  return writePicture(contactSheet(frames, columns), new URL(fileOf(name), docs).pathname)
}

function one(template: TemplateSample['template'], changes: TemplateSample['slide'] = {}): SlideVideo {
  return { film, slides: [slide(template, 0, durationMs, { ...sampleOf(template).slide, ...changes })] }
}

function overTime({ template }: TemplateSample): Promise<RgbFrame[]> {
  return slideFrames(one(template), [240, 600, 1_400, 2_300, durationMs - 100], 160)
}

/** One finished slide for each value. */
async function eachOf<Value>(
  values: readonly Value[],
  filmOf: (value: Value) => SlideVideo,
  width = 160,
): Promise<RgbFrame[]> {
  const frames: RgbFrame[] = []
  for (const value of values) frames.push(...(await slideFrames(filmOf(value), [durationMs - 100], width)))
  return frames
}

function changeBy(enter: string): Promise<RgbFrame[]> {
  const first = slide('quote', 0, 2_000, sampleOf('quote').slide)
  const second = slide('flowSteps', 2_000, durationMs, {
    ...sampleOf('flowSteps').slide,
    tone: 'dark',
    direction: { enter },
  })
  return slideFrames({ film, slides: [first, second] }, [1_900, 2_070, 2_200, 2_340, 2_900], 160)
}

/** Custom colours and font. */
function colours() {
  return {
    ...{ presentationAccentColor: '#C8553D', presentationAccentColorB: '#F28F3B', presentationInkColor: '#2D3047' },
    ...{
      presentationInkSoftColor: '#588B8B',
      presentationBackgroundColor: '#FFF3E4',
      presentationPillTextColor: '#FFFFFF',
    },
    ...{ presentationFontFamily: 'Playfair Display', presentationBackground: 'paper' },
  }
}

function sectionOf({ template, text, fields }: TemplateSample): string {
  const rows = fields.map(([name, meaning]) => `| ${name} | ${meaning} |`)
  return `## ${template}\n\n${text}\n\n| content | |\n|---|---|\n${rows.join('\n')}\n\n![${template}](${fileOf(template)})\n`
}

function picture(name: string): string {
  return `![${name}](${fileOf(name)})`
}

function document(): string {
  return `# Templates

How the scenes of a presentation (\`PUT /videos/{id}/presentation-scenes\`) are drawn. Written by \`npm run docs:pictures\`: all pictures are
frames from the renderer; a row shows one slide over time. Fields that a scene omits fall back to its \`text\`. Text is set in the largest
size that fits; text that fits in no size is cut with "…".

${templateSamples.map(sectionOf).join('\n')}
## What all templates share

- \`emphasis\` is the part of the text in the accent colour.
- \`visual.anchors\` are the words at which the items appear, one after the other. Without anchors the items appear at even intervals.
- \`composed\` is set by an editor; its fields override those of \`content\`.
- \`caption\`: \`show\` draws captions over the slide, which reserves space for them; \`hide\` draws none. Without settings in the config, captions of a
  presentation are smaller and lower than those of other videos.
- A \`hidden\` scene is not drawn: the b-roll of that time is shown or, without one, the previous slide.
- \`tone\`: \`light\`, \`dark\` (text and background colours swapped) or \`accent\` (the accent colour as background).

${picture('tones')}

- \`params.layout\`: ${slideLayouts.map((name) => `\`${name}\``).join(', ')}.

${picture('layouts')}

Each aspect ratio has its own layout:

${picture('landscape')}

${picture('square')}

## Entrances

\`direction.enter\` is the transition from the previous slide, \`direction.pace\` (\`calm\` or \`lively\`) its speed.

${slideEntrances.map((name) => `### ${name}\n\n${picture(`entrance-${name}`)}\n`).join('\n')}
${themeSection()}`
}

function themeSection(): string {
  return `## The theme

| field of the config | |
|---|---|
| presentationAccentColor | shapes and emphasised text |
| presentationAccentColorB | the second colour of gradients, and emphasis on the accent |
| presentationInkColor | text; the background of dark slides |
| presentationInkSoftColor | secondary text on light slides |
| presentationBackgroundColor | the background; text on dark slides |
| presentationPillTextColor | text on accent shapes; on accent slides these shapes are close to the ink colour, and their text has the accent colour |
| presentationFontFamily | a family of [themes.md](themes.md); default: Inter. Families with a single weight fall back to Inter |
| presentationBackground | ${backgrounds.map((name) => `\`${name}\``).join(', ')}; \`gradient\` is the default, any other value is \`plain\` |
| presentationLogoUrl | a PNG, JPEG or WebP shown in the upper left corner of every slide |
| presentationIconUrl | a PNG, JPEG or WebP above headlines and calls to action |

Colours of the client are used unchanged. Default colours are adjusted until the contrast of text is at least 4.5. Pictures are fetched at
the start of a render; one that cannot be fetched is omitted.

${picture('backgrounds')}

${picture('colours')}
`
}
