/** `npm run docs:pictures`: writes docs/guides/themes.md and its pictures. It takes a minute, so `npm run docs` does not include it. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { themeConfig } from '../../lib/domain/records/theme.ts'
import { type CaptionScene, captionFrames } from './caption-frames.ts'
import { contactSheet, cropRows, writePicture } from './contact-sheet.ts'
import {
  emojiPicture,
  scriptsPicture,
  type ThemeCell,
  type ThemeField,
  type ThemePicture,
  themeFields,
} from './theme-pictures.ts'

const size = { width: 270, height: 480 }
const wordMs = 300
const docs = new URL('../../docs/guides/', import.meta.url)
const folder = 'pictures/themes'

await rm(new URL(folder, docs), { recursive: true, force: true })
await mkdir(new URL(folder, docs), { recursive: true })
const pictures = [...themeFields.flatMap((field) => field.pictures), scriptsPicture, emojiPicture]
for (const picture of pictures) await draw(picture)
await writeFile(new URL('themes.md', docs), document())

async function draw({ name, cells, columns, isWhole }: ThemePicture): Promise<void> {
  const frames = await Promise.all(cells.map(frameOf))
  // A word of two lines and its movements, around the default position.
  const shown = isWhole
    ? frames
    : frames.map((frame) => cropRows(frame, name === emojiPicture.name ? 0.56 : 0.61, 0.82))
  await writePicture(contactSheet(shown, Math.min(columns, shown.length)), new URL(fileOf(name), docs).pathname)
}

async function frameOf({ words, theme, ms, emoji }: ThemeCell) {
  const spoken = words.split(' ').map((word, index) => ({
    punctuated_word: word,
    startMs: index * wordMs,
    endMs: (index + 1) * wordMs,
  }))
  const page = { startMs: 0, endMs: spoken.length * wordMs, words: spoken, ...(emoji && { emoji }) }
  const scene: CaptionScene = { size, theme, pages: [page] }
  // Within a page of one word: the middle of it.
  const moment = Math.min(ms, page.endMs - wordMs / 2)
  const [frame] = await captionFrames(scene, [moment])
  return frame!
}

function fileOf(name: string): string {
  return `${folder}/${name}.jpg`
}

function document(): string {
  const others = Object.keys(themeConfig.entries).filter((field) => field.startsWith('presentation'))
  return `# Themes

What each field of a video's theme config (\`PATCH /videos/{id}/config\`) does to its captions and its sound. Written by \`npm run docs:pictures\`: all
pictures are frames from the renderer. Unless stated otherwise, they use the editor's defaults without animation and word effect, at a
time when the second word is spoken.

${themeFields.map(sectionOf).join('\n')}
## Fields of slides

${others.map((field) => `\`${field}\``).join(', ')}: see [templates.md](templates.md).

## musicMood

The background music: \`none\` (the default), \`calm\`, \`inspiring\`, \`energetic\`, \`dramatic\`, \`playful\`, or \`auto\`,
which follows the video's \`mood\`. Each video has its own piece, which later renders reuse. It is at least 14 LU below the voice during speech,
about 10 in pauses, and fades out at the end; the loudness of the video stays at -14 LUFS.

## Scripts

Captions support every script. Glyphs that a font does not have come from Inter and from the fonts in
[assets/fonts](../../assets/fonts/README.md); a character without a glyph is omitted. Pages in Arabic and Hebrew run from right to left.
Chinese, Japanese and Thai, which have no spaces between words, are segmented into words for wrapping and timing, and long pages are split.

![scripts](${fileOf(scriptsPicture.name)})

## Emoji

A page whose \`emoji\` is \`{ "character": "🔥" }\` shows it in colour over its words (under them at the top of the frame), with the entrance of the page.
Where a video's \`mood\` is \`fun\`, \`playful\` or \`energetic\`, a generation adds an emoji to pages with a matching English word, to at most
every third. Emoji inside words are not shown.
The drawings are [Twemoji](https://github.com/jdecked/twemoji) (CC BY 4.0).

![emoji](${fileOf(emojiPicture.name)})
`
}

function sectionOf({ field, text, pictures }: ThemeField): string {
  const shown = pictures.map(({ name, text: caption }) => `${caption && `${caption}\n\n`}![${name}](${fileOf(name)})\n`)
  return `## ${field}\n\n${text}\n\n${shown.join('\n')}`
}
