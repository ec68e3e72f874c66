/**
 * Texts of clients and vendors are read in linear time, so that none stops a function or a worker: each regular
 * expression of lib/, each parser of requests, and the functions that take texts apart.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { parseAst } from 'vitest/node'
import { installedAssets } from '../containers/media/render/drawing-assets.ts'
import { sortedRoutes } from '../lib/contract/openapi/document.ts'
import { paginateCaptions } from '../lib/domain/generation/captions/captions.ts'
import { extractKeywords } from '../lib/domain/generation/keywords.ts'
import {
  chartFiguresOf,
  counterFigureOf,
  figuresOf,
  quotationOf,
  timelineFiguresOf,
} from '../lib/domain/generation/picture-figures.ts'
import { findObjects, indexPictureWords, objectOfNoun } from '../lib/domain/generation/picture-words.ts'
import { splitIntoNarrations } from '../lib/domain/generation/scenes/scene-script.ts'
import { isWellFormedApiKey } from '../lib/domain/workspaces/api-key.ts'
import { checkUrl, endpointPolicy } from '../lib/egress/address-policy.ts'
import { preferredWaitSeconds } from '../lib/http/prefer-header.ts'
import { facetsOf } from '../lib/platforms/bluesky/facets.ts'
import { weightedLength } from '../lib/platforms/caption-length.ts'
import { littleText } from '../lib/platforms/linkedin/little-text.ts'
import {
  datedEvents,
  enumeratedItems,
  figureIn,
  quotationIn,
  stepsOf,
} from '../lib/providers/director/slide-content.ts'
import { tokenise } from '../lib/providers/narrator/tokenise.ts'
import { paragraphsOf, standaloneSentences } from '../lib/providers/research/article-facts.ts'
import { parseWebVtt } from '../lib/providers/transcriber/webvtt.ts'
import { dictatedClose, dictatedOpening } from '../lib/providers/writer/briefing.ts'
import { descriptionOf } from '../lib/providers/writer/description.ts'
import { clichesIn, fillersIn } from '../lib/providers/writer/fillers.ts'
import { parseIdea } from '../lib/providers/writer/idea.ts'
import { isInLanguage } from '../lib/providers/writer/language-check.ts'
import { titleFor } from '../lib/providers/writer/title.ts'
import { redact } from '../lib/redact.ts'
import { captionStyle } from '../lib/render/captions/style.ts'
import { graphemes, keywordOf, limitCodePoints, piecesOf } from '../lib/render/captions/text-segmentation.ts'
import { loadTypefaces } from '../lib/render/drawing/load-fonts.ts'
import { listItems } from '../lib/render/slides/content.ts'
import { escapeXml } from '../lib/render/slides/svg.ts'
import { typeset } from '../lib/render/slides/typeset.ts'
import { facesOf, page } from './render/compositions.ts'
import { sampleValue, schemaPaths, withValueAt } from './support/fuzz/schema-values.ts'
import { superLinearTexts } from './support/linear-time.ts'
import { parseRefusal } from './support/refusals.ts'

/** The expressions that modules build from texts while they load. */
const { built, stopCollecting } = vi.hoisted(() => {
  const built: RegExp[] = []
  const native = RegExp
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [source, flags]: [string | RegExp, string?]) {
      const expression = new target(source, flags)
      if (new Error().stack?.split('\n')[2]?.includes(`${process.cwd()}/lib/`)) built.push(expression)
      return expression
    },
  })
  const stopCollecting = () => {
    globalThis.RegExp = native
  }
  return { built, stopCollecting }
})
stopCollecting()

interface AstNode {
  type?: string
  regex?: { pattern: string; flags: string }
}

function literalsIn(node: unknown): RegExp[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, regex } = node as AstNode
  if (type === 'Literal' && regex) return [new RegExp(regex.pattern, regex.flags)]
  return Object.values(node).flatMap(literalsIn)
}

const root = join(import.meta.dirname, '..')
const literals = globSync('lib/**/*.ts', { cwd: root }).flatMap((file) =>
  literalsIn(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }).body),
)
const expressions = new Map([...literals, ...built].map((expression) => [String(expression), expression]))

/** Reads a whole text, wherever the expression finds something and also where it finds nothing. */
function readAll({ source, flags }: RegExp): (text: string) => unknown {
  const everywhere = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)
  return (text) => text.replace(everywhere, '')
}

/** The words of an expression, which take a text past its first part. */
const wordsOf = ({ source }: RegExp) =>
  [...new Set(source.match(/(?<![\\{])\b[a-z]{2,}/gi))].slice(0, 8).map((word) => `${word} `)

/** What grows faster does so on every try; a busy machine does not. */
const repeated = { retry: 2 }

describe('the regular expressions of lib/', () => {
  it('are found, those that modules build included', () => {
    expect(literals.length).toBeGreaterThan(500)
    expect(expressions.has(String(/\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi))).toBe(true)
    expect(built.length).toBeGreaterThan(20)
  })

  it('read hostile texts in linear time', repeated, () => {
    const found = [...expressions].map(([name, expression]) => ({
      name,
      texts: superLinearTexts(readAll(expression), { more: wordsOf(expression) }),
    }))
    expect(found.filter(({ texts }) => texts.length > 0)).toEqual([])
  })

  // On a busy machine a measurement may miss growth, which costs a repetition, but never invents it.
  it('would be found if they were quadratic, cubic or exponential', { retry: 2 }, () => {
    for (const expression of [/\s+$/, /^(?:a|b\s*)*\s*\s*!/, /^(?:a+)+$/, /,.*,.*,$/])
      expect(superLinearTexts(readAll(expression)), String(expression)).not.toEqual([])
  })
})

const words = (text: string) =>
  text.split(' ').map((word, index) => ({
    id: `${index}`,
    text: word,
    punctuated_word: word,
    startMs: index * 200,
    endMs: index * 200 + 150,
  })) as unknown as Parameters<typeof paginateCaptions>[0]

const pictureIndex = indexPictureWords({
  language: 'en',
  objects: { cat: ['cat', 'pet'], 'water-wave': ['water wave'] },
})

const { display: typeface } = await loadTypefaces({}, '', installedAssets)
const slideStyle = { typeface, sizeMax: 100, sizeMin: 30, lineHeight: 1.1, tracking: 0, linesMax: 6 }
const onSlide = (text: string, emphasis: string) => typeset(text, emphasis, slideStyle, { width: 900, height: 1500 })
const wrapped = captionStyle({ layoutMode: 'wrap' }, { width: 1080, height: 1920 })
const captionFaces = facesOf({}, 'Aกש漢')

const readers: Record<string, (text: string) => unknown> = {
  'what logs hide': redact,
  'pages of captions': (text) => paginateCaptions(words(text), String),
  'characters of a caption': (text) => graphemes(limitCodePoints(text)),
  'keyword of a caption': keywordOf,
  'words of a caption page': (text) => piecesOf(page(text), wrapped, captionFaces),
  'text of a slide': escapeXml,
  'lines of a slide': (text) => onSlide(text, ''),
  'emphasis of a slide': (text) => onSlide(text, `${text} zz`),
  'list of a slide': (text) => listItems({ content: { items: [text] }, text } as never, 'items'),
  'list in the text of a slide': (text) => listItems({ content: {}, text } as never, 'items'),
  keywords: (text) => extractKeywords(text),
  figures: figuresOf,
  chart: chartFiguresOf,
  counter: (text) => counterFigureOf(text),
  'quotation of a picture': quotationOf,
  timeline: timelineFiguresOf,
  'things that a text names': (text) => findObjects(text, pictureIndex),
  'thing of a noun': (text) => objectOfNoun(text, pictureIndex),
  'quotation of a slide': quotationIn,
  'figure of a slide': figureIn,
  'items of a slide': enumeratedItems,
  'steps of a slide': stepsOf,
  'dated events': datedEvents,
  narrations: splitIntoNarrations,
  'Prefer header': (text) => preferredWaitSeconds({ prefer: text }, 0),
  'API key': isWellFormedApiKey,
  URL: (text) => refusalLess(() => checkUrl(`https://${text}/`, endpointPolicy(false))),
  'facets of Bluesky': facetsOf,
  'little text of LinkedIn': littleText,
  'length of a caption': weightedLength,
  'speech in English': (text) => tokenise(text, 'en'),
  'speech in German': (text) => tokenise(text, 'de'),
  'speech in Thai': (text) => tokenise(text, 'th'),
  'passages of an article': paragraphsOf,
  'sentences of an article': (text) => standaloneSentences(text, 'en'),
  WebVTT: (text) => parseWebVtt(`WEBVTT\n\n00:00.000 --> 00:02.000\n${text}`),
  'dictated opening': dictatedOpening,
  'dictated close': dictatedClose,
  clichés: clichesIn,
  fillers: fillersIn,
  idea: parseIdea,
  language: (text) => isInLanguage(text, 'en'),
  title: titleFor,
  'caption of a post': (text) => descriptionOf({ title: text, text, prompt: text, language: 'en' }),
}

/** A URL that is refused was read as well. */
function refusalLess(read: () => unknown): void {
  try {
    read()
  } catch {}
}

describe('functions that take texts apart read them in linear time', () => {
  it.each(Object.entries(readers))('%s', repeated, (_, read) =>
    expect(superLinearTexts(read, { lengthMax: 2_048, oneIn: 2 })).toEqual([]),
  )
})

describe('requests are parsed in linear time', () => {
  it('a body that is no JSON, or has unknown fields', repeated, () => {
    const { row } = sortedRoutes.find(({ name }) => name === 'createVideo')!
    const bodies: ((text: string) => string)[] = [
      (text) => text,
      (text) => `{"prompt":"${text}`,
      (text) => JSON.stringify({ prompt: 'x', [text]: 1 }),
      // No names like array indices: V8 stores those differently from about a thousand on, which looks like growth.
      (text) => JSON.stringify(Object.fromEntries(Array.from(text, (unit, index) => [`x${index}${unit}`, unit]))),
    ]
    for (const bodyOf of bodies)
      expect(
        superLinearTexts((text) => parseRefusal(row, { body: bodyOf(text) }), { lengthMax: 2_048, oneIn: 5 }),
      ).toEqual([])
  })

  it.each(sortedRoutes.filter(({ row }) => row.body ?? row.query))('$method $path', repeated, ({ row }) => {
    const queries = (row.query ? schemaPaths(row.query) : []).map(({ path }) => (text: string) => ({
      query: { [String(path[0])]: text },
    }))
    const example = row.bodyExample ?? (row.body && sampleValue(row.body))
    const bodies = (row.body ? schemaPaths(row.body) : []).map(({ path }) => (text: string) => ({
      body: JSON.stringify(withValueAt(row.body!, example, path, text)),
    }))
    const requests = [...queries, ...bodies]
    expect(
      superLinearTexts((text) => requests.map((requestOf) => parseRefusal(row, requestOf(text))), {
        lengthMax: 2_048,
        oneIn: 5,
      }),
    ).toEqual([])
  })
})
