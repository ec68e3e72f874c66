/** Chooses the illustration and the colours for a prompt. Stills and clips share the choice. */
import { seededRandom } from '../../render/seeded-random.ts'
import type { Canvas, DrawingLayer } from './drawing.ts'
import { growth, planet, poster, ribbons } from './illustrations/abstract.ts'
import { desk } from './illustrations/desk.ts'
import { desert, forest, hills, mountains, ocean } from './illustrations/landscapes.ts'
import { man, woman } from './illustrations/person.ts'
import { city, road } from './illustrations/places.ts'
import type { PictureInput } from './index.ts'
import { paletteFor } from './palettes.ts'
import { sceneLayers } from './scene/compose-scene.ts'

type Illustration = (canvas: Canvas) => DrawingLayer[]

/** The first matching line wins; where it has several illustrations, the seed and the prompt decide. */
const illustrationsByKeyword: readonly [RegExp, readonly Illustration[]][] = [
  [/^(?:(?!\bportrait\b).)*\bportrait\b.*\bwoman\b/is, [woman]],
  [/^(?:(?!\bportrait\b).)*\bportrait\b.*\bman\b/is, [man]],
  [/\bportrait\b/i, [woman, man]],
  [/\b(space|planets?|stars?|universe|galax\w*|cosmos|rockets?|astronaut\w*|orbit|moon|mars|alien\w*)\b/i, [planet]],
  [
    /\b(oceans?|seas?|beach\w*|waves?|sail\w*|boats?|islands?|swim\w*|surf\w*|lakes?|rivers?|water|whales?|fish)\b/i,
    [ocean],
  ],
  [/\b(forests?|trees?|woods?|jungle|camp\w*|hik\w*|leaf|leaves|wolf|bears?|wild\w*|sleep\w*|night walk)\b/i, [forest]],
  [/\b(mountains?|summit|peaks?|climb\w*|snow|alps|sunrise|dawn|view|adventure|landscapes?)\b/i, [mountains]],
  [/\b(deserts?|dunes?|sand|cactus|egypt\w*|pyramids?|sahara|heat|dry|ancient|histor\w*)\b/i, [desert]],
  [
    /\b(cit(?:y|ies)|urban|towns?|streets?|buildings?|skyline|nightlife|traffic|neon|downtown|metropolis|new york|tokyo|london|paris|crowds?)\b/i,
    [city],
  ],
  [
    /\b(desks?|office|laptops?|work(?:ing|place|space)?|stud(?:y|ies|ying|ents?)|writ(?:e|ing)|books?|read\w*|coffee|tea|emails?|computers?|meetings?|home|kitchen|learn\w*|school|screens?|notes?|plan(?:s|ning)?)\b/i,
    [desk],
  ],
  [
    /\b(money|invest\w*|sav(?:e|ing|ings)|profits?|sales|business\w*|market\w*|growth|grow(?:s|ing)?|results?|charts?|data|numbers?|econom\w*|financ\w*|budgets?|revenue|statistics|percent)\b/i,
    [growth],
  ],
  [
    /\b(roads?|paths?|journey|travel\w*|drive|driving|cars?|steps?|start\w*|begin\w*|goals?|future|ahead|way|trip|run\w*|walk\w*|direction)\b/i,
    [road, mountains],
  ],
  [
    /\b(farm\w*|fields?|hills?|country\w*|villages?|house|spring|summer|garden\w*|morning|famil\w*|animals?|dogs?|cats?|happy|happiness|weather|sky|clouds?|sunny)\b/i,
    [hills],
  ],
  [
    /\b(tech\w*|ai|artificial|future|code|coding|software|robots?|digital|internet|design|art|pattern\w*|idea\w*|creativ\w*|rules?|lists?|facts?)\b/i,
    [poster, ribbons],
  ],
  [
    /\b(music|dream\w*|mind\w*|feel\w*|emotion\w*|calm|meditat\w*|energy|flow|focus\w*|breath\w*|stress|brain|thought\w*|love|fear)\b/i,
    [ribbons, ocean],
  ],
  [/\b(habits?|success\w*|discipline|motivat\w*|routine\w*|productiv\w*)\b/i, [road, mountains, desk]],
]
const anyIllustration: readonly Illustration[] = [mountains, hills, ribbons, ocean, road, city, poster, forest, desert]

/**
 * Colours depend on the seed and the mood; the illustration and its composition also on the prompt. So the pictures of
 * one video share a style and differ.
 */
export function illustrationFor(
  { prompt, keywords, scene, mood, seed, take }: PictureInput,
  width: number,
  height: number,
): { layers: DrawingLayer[]; name: string } {
  const colours = seededRandom(`${seed}/${mood ?? ''}/colours`)
  const random = seededRandom([seed, prompt, keywords.join(' '), ...(take ? [take] : [])].join('/'))
  const between = (low: number, high: number) => low + random() * (high - low)
  const canvas: Canvas = {
    width,
    height,
    unit: Math.min(width, height),
    palette: paletteFor(mood, colours()),
    random,
    between,
  }
  if (scene) return { layers: sceneLayers(scene, canvas), name: scene.layout }
  const candidates = illustrationsFor(keywords.join(' ')) ?? illustrationsFor(prompt) ?? anyIllustration
  const illustration = candidates[Math.floor(random() * candidates.length)]!
  return { layers: illustration(canvas), name: illustration.name }
}

const illustrationsFor = (text: string) => illustrationsByKeyword.find(([words]) => words.test(text))?.[1]
