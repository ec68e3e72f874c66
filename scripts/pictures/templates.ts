/** Writes docs/guides/templates.md and its pictures, all of them frames as the renderer draws them. */
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

/** One finished slide for each of some values. */
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

/** A client's own colours and font. */
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
frames as the renderer draws them; a row of them shows one slide over time. What a scene does not say falls back to its \`text\`; text is
set in the largest size that fits, and what no size can hold ends in "…".

${templateSamples.map(sectionOf).join('\n')}
## What all templates share

- \`emphasis\` is the part of the text that stands out in the accent.
- \`visual.anchors\` are the words at which items appear, one after the other. Without anchors they appear evenly over the slide.
- \`composed\` is what an editor has composed by hand: its fields take the place of those of \`content\`.
- \`caption\`: \`show\` draws captions over the slide, for which room is left; \`hide\` draws none. Where the config says nothing, captions of a
  presentation are smaller and lower than those of other videos.
- A \`hidden\` scene is not drawn: the b-roll of that time is seen or, where there is none, the slide before.
- \`tone\`: \`light\`, \`dark\` (ink and ground exchanged) or \`accent\` (the accent is the ground).

${picture('tones')}

- \`params.layout\`: ${slideLayouts.map((name) => `\`${name}\``).join(', ')}.

${picture('layouts')}

Slides are laid out for each aspect ratio:

${picture('landscape')}

${picture('square')}

## How slides come

\`direction.enter\` says how a slide takes the place of the one before, \`direction.pace\` (\`calm\` or \`lively\`) how fast.

${slideEntrances.map((name) => `### ${name}\n\n${picture(`entrance-${name}`)}\n`).join('\n')}
${themeSection()}`
}

function themeSection(): string {
  return `## The theme

| field of the config | |
|---|---|
| presentationAccentColor | shapes, and text that stands out |
| presentationAccentColorB | the second colour of gradients, and what stands out on the accent |
| presentationInkColor | text; the ground of dark slides |
| presentationInkSoftColor | text that steps back, on light slides |
| presentationBackgroundColor | the ground; text on dark slides |
| presentationPillTextColor | text on shapes of the accent; on slides in the accent these are nearly the ink's colour, and text on them the accent's |
| presentationFontFamily | a family of [themes.md](themes.md); Inter where it is absent. Text is set in Inter where the family has one weight only |
| presentationBackground | ${backgrounds.map((name) => `\`${name}\``).join(', ')}; \`gradient\` where it is absent, any other value is \`plain\` |
| presentationLogoUrl | a PNG, JPEG or WebP that stays in the upper left corner |
| presentationIconUrl | one that stands above headlines and calls |

Colours of the client are drawn as they are. Those that are left to us give way until the contrast of text is at least 4.5. Pictures are
fetched when a render begins; one that cannot be fetched is left out.

${picture('backgrounds')}

${picture('colours')}
`
}
