/**
 * Chooses what is drawn for every shot of a film: objects that its words name, in a layout that fits the sentence.
 * Deterministic; never the same scene twice in a film, and never the same main object twice running.
 */
import { chartFiguresOf, counterFigureOf, quotationOf, timelineFiguresOf } from './picture-figures.ts'
import { chooseGround, groundsNamedBy, homeOf } from './picture-grounds.ts'
import { findPlaces, type PlaceIndex } from './picture-places.ts'
import type { PictureGround, PictureLayout, PictureScene } from './picture-scene.ts'
import { findObjects, type ObjectMatch, type PictureIndex, tokensOf } from './picture-words.ts'

export interface PictureVocabulary {
  /** Of the writer's words to show. */
  english: PictureIndex
  /** Of the spoken language; `english` if the product has no names in it. */
  local: PictureIndex
  places: PlaceIndex
}

export interface PictureShot {
  text: string
  /** What the writer wants to be seen, in English, the most important one first. */
  show?: readonly string[]
  /** The rest of the sentence, spoken over the next shots. */
  continued?: string
}

export interface PictureFilm {
  title: string
  /** The whole narration. */
  text: string
  vocabulary: PictureVocabulary
}

interface Candidate {
  object: string
  score: number
  /** Position in the shot's text; null for words to show and for the topic. */
  match: ObjectMatch | null
  /** Another drawing of a word whose best one is a candidate too. */
  isAlternate?: true
}

/** What an object must score to be drawn for the words of its shot. */
const namedScoreMin = 1.9
const [showScore, spokenBonus] = [7, 1.5]
/** Of what the title names: spoken, it comes before what the writer wants to be seen. */
const subjectBonus = 2.3
const topicScore = 1.5
/** Shown where no word of the whole film names a thing. */
const neutralObjects =
  'light-bulb speech-balloon compass puzzle-piece open-book magnifying-glass-tilted-left key hourglass-done world-map sparkles thought-balloon bullseye balance-scale bookmark telescope scroll link red-question-mark pencil ladder'.split(
    ' ',
  )

/** A scene for every shot. `taken`: scenes of the film that stay as they are. */
export function choosePictures(
  shots: readonly PictureShot[],
  film: PictureFilm,
  taken: readonly PictureScene[] = [],
): PictureScene[] {
  const state = stateOf(film, shots, taken)
  return shots.map((shot) => {
    const scene = sceneFor(shot, film, state)
    remember(scene, state)
    return scene
  })
}

interface FilmState {
  keys: Set<string>
  /** How often an object was the main one. */
  mains: Map<string, number>
  /** Figures, quotations and places that were shown. */
  shownTexts: Set<string>
  previous?: PictureScene
  topic: string[]
  titleObjects: ReadonlySet<string>
  topicGrounds: PictureGround[]
  counters: number
  maps: number
  /** Of counters and of maps. */
  cardsMax: number
}

function stateOf(film: PictureFilm, shots: readonly PictureShot[], taken: readonly PictureScene[]): FilmState {
  const topic = topicObjects(film, shots)
  const titleObjects = findObjects(film.title, film.vocabulary.local).map(({ object }) => object)
  const state: FilmState = {
    keys: new Set(),
    mains: new Map(),
    shownTexts: new Set(),
    topic,
    titleObjects: new Set(titleObjects),
    topicGrounds: [
      ...new Set([
        ...groundsNamedBy(film.title),
        ...homeOf(titleObjects[0] ?? topic[0]),
        ...groundsNamedBy(film.text).slice(0, 2),
      ]),
    ],
    counters: 0,
    maps: 0,
    cardsMax: Math.max(1, Math.ceil(shots.length / 4)),
  }
  for (const scene of taken) remember(scene, state)
  return state
}

/** What the film is about: the objects of its title, then those that its words name most often. */
function topicObjects(
  { title, text, vocabulary: { local, english } }: PictureFilm,
  shots: readonly PictureShot[],
): string[] {
  const weights = new Map<string, number>()
  const add = (matches: readonly ObjectMatch[], weight: number) => {
    for (const { object, alternates, score } of matches) {
      if (score < namedScoreMin) continue
      weights.set(object, (weights.get(object) ?? 0) + weight * score)
      for (const other of alternates.slice(0, 2)) weights.set(other, (weights.get(other) ?? 0) + 0.2 * weight * score)
    }
  }
  add(findObjects(title, local), 4)
  add(findObjects(text, local), 1)
  add(
    shots.flatMap(({ show = [] }) => show.flatMap((noun) => findObjects(noun, english, { allWords: true }))),
    1,
  )
  return [...weights].toSorted(([, a], [, b]) => b - a).map(([object]) => object)
}

const keyOf = ({ layout, objects, figures = [], text = '' }: PictureScene): string =>
  [layout, [...objects].toSorted().join('+'), figures.map((figure) => figure.text).join('/'), text].join('|')

function remember(scene: PictureScene, state: FilmState): void {
  state.keys.add(keyOf(scene))
  const [main] = scene.objects
  if (main) state.mains.set(main, (state.mains.get(main) ?? 0) + 1)
  for (const { text } of scene.figures ?? []) state.shownTexts.add(text)
  if (scene.text) state.shownTexts.add(scene.text)
  if (scene.layout === 'counter') state.counters += 1
  if (scene.layout === 'map') state.maps += 1
  state.previous = scene
}

function sceneFor(shot: PictureShot, film: PictureFilm, state: FilmState): PictureScene {
  const candidates = candidatesFor(shot, film, state)
  const named = candidates.filter(({ score }) => score >= namedScoreMin)
  const options = [
    () => cardOf(shot, film, state, candidates),
    () => sentenceLayout(shot, film, state, named),
    ...[0, 1, 2].map((skip) => () => plainLayout(shot, film, state, candidates, named, skip)),
  ]
  for (const option of options) {
    const scene = option()
    if (scene && isNew(scene, state)) return scene
  }
  return anyNewScene(shot, state, candidates)
}

const isNew = (scene: PictureScene, { keys, previous }: FilmState): boolean =>
  !keys.has(keyOf(scene)) && (scene.objects[0] === undefined || scene.objects[0] !== previous?.objects[0])

/** Objects for a shot, the best one first. Each use as main object counts against an object. */
function candidatesFor(shot: PictureShot, film: PictureFilm, { mains, topic, titleObjects }: FilmState): Candidate[] {
  const { local } = film.vocabulary
  const best = new Map<string, Candidate>()
  const add = (candidate: Candidate) => {
    const known = best.get(candidate.object)
    if (!known || known.score < candidate.score)
      best.set(candidate.object, { ...candidate, match: candidate.match ?? known?.match ?? null })
  }
  const spoken = findObjects(shot.text, local)
  for (const match of spoken) {
    const isSubject = titleObjects.has(match.object)
    add({ object: match.object, score: match.score + (isSubject ? subjectBonus : 0), match })
    for (const [rank, object] of match.alternates.entries())
      add({ object, score: Math.max(1, match.score - 1.6 - 0.4 * rank), match, isAlternate: true })
  }
  const words = new Set(tokensOf(shot.text, local.language))
  for (const [index, match] of showMatches(shot, film).entries()) {
    const isSpoken = tokensOf(match.noun, 'en').some((word) => words.has(word) || words.has(`${word}s`))
    const score = showScore - 0.4 * index + (isSpoken ? spokenBonus : 0) - (match.score < namedScoreMin ? 3 : 0)
    add({ object: match.object, score, match: null })
    for (const [rank, object] of match.alternates.entries())
      add({ object, score: score - 2 - 0.4 * rank, match: null, isAlternate: true })
  }
  for (const [rank, object] of topic.slice(0, 12).entries())
    add({ object, score: topicScore - 0.05 * rank, match: null })
  return [...best.values()].toSorted(
    (a, b) => worth(b, mains) - worth(a, mains) || (a.match?.from ?? 99) - (b.match?.from ?? 99),
  )
}

/** The object of each word to show. */
const showMatches = (
  { show = [] }: PictureShot,
  { vocabulary: { english } }: PictureFilm,
): (ObjectMatch & { noun: string })[] =>
  show.flatMap((noun) => {
    const [match] = findObjects(noun, english, { allWords: true }).toSorted((a, b) => b.score - a.score)
    return match ? [{ ...match, noun }] : []
  })

const worth = ({ object, score }: Candidate, mains: FilmState['mains']): number =>
  score - 2.2 * (mains.get(object) ?? 0)

/** Quotations, dates, figures and places. */
function cardOf(
  shot: PictureShot,
  film: PictureFilm,
  state: FilmState,
  candidates: readonly Candidate[],
): PictureScene | undefined {
  const { text, continued = '' } = shot
  const main = candidates.find(({ object }) => object !== state.previous?.objects[0])?.object
  const objects = main ? [main] : []
  const ground = groundFor(shot, main, state)
  const isFresh = (texts: readonly string[]) => texts.some((one) => !state.shownTexts.has(one))
  const quote = quotationOf(`${text} ${continued}`)
  if (quote && /[“«„"]/.test(text) && isFresh([quote])) return { layout: 'quote', ground, objects, text: quote }
  const whole = `${text} ${continued}`.trim()
  if (/\d/.test(text)) {
    const dated = timelineFiguresOf(text) ?? timelineFiguresOf(whole)
    if (dated?.every((figure) => !state.shownTexts.has(figure.text)))
      return { layout: 'timeline', ground, objects, figures: dated }
    const bars = chartFiguresOf(text) ?? chartFiguresOf(whole)
    if (bars?.every((figure) => !state.shownTexts.has(figure.text)))
      return { layout: 'chart', ground, objects, figures: bars }
  }
  const place = findPlaces(text, film.vocabulary.places).find(({ name }) => !state.shownTexts.has(name))
  if (place && state.maps < state.cardsMax && state.previous?.layout !== 'map') {
    const { name, latitude, longitude } = place
    return { layout: 'map', ground, objects, text: name, place: { latitude, longitude } }
  }
  const figure = counterFigureOf(text, continued)
  if (figure && isFresh([figure.text]) && state.counters < state.cardsMax && state.previous?.layout !== 'counter')
    return { layout: 'counter', ground, objects, figures: [figure] }
  return undefined
}

/** Words between two things, or before one, by language. */
const negations: Record<string, RegExp> = {
  en: /^(?:not|never|no|without|avoid|stop|skip|quit|cannot|don|doesn|isn|nobody|none)$/,
  de: /^(?:nicht|kein|keine|keinen|keinem|ohne|nie|niemals|vermeide|verzichte)$/,
  es: /^(?:no|sin|nunca|evita|evite|ningun|ninguna|jamas)$/,
  fr: /^(?:pas|sans|jamais|evitez|evite|aucun|aucune)$/,
  it: /^(?:non|senza|mai|evita)$/,
  pt: /^(?:nao|sem|nunca|evite)$/,
  nl: /^(?:niet|geen|zonder|nooit|vermijd)$/,
  pl: /^(?:nie|bez|nigdy|unikaj)$/,
  hi: /^(?:नहीं|बिना|मत)$/,
}
const leadsTo =
  /^(?:to|into|become|becomes|became|turns|turn|makes|make|made|produces|produce|causes|cause|caused|leads|zu|werden|wird|en|hacia|en|devient|vers)$/
const compares = /^(?:than|versus|vs|instead|unlike|whereas|als|statt|que|frente|contre)$/

/** Crossed out, A to B, compared, in a row: what the sentence says about its things. */
function sentenceLayout(
  shot: PictureShot,
  film: PictureFilm,
  state: FilmState,
  named: readonly Candidate[],
): PictureScene | undefined {
  const { language } = film.vocabulary.local
  const words = tokensOf(shot.text, language, film.vocabulary.local)
  const wanted = new Set(showMatches(shot, film).map(({ object }) => object))
  // Where the writer says what is to be seen, other things of the sentence are not.
  const spoken = findObjects(shot.text, film.vocabulary.local).filter(
    ({ score, object }) => score >= namedScoreMin && (wanted.size === 0 || wanted.has(object)),
  )
  const sceneOf = (layout: PictureScene['layout'], objects: string[]): PictureScene | undefined =>
    new Set(objects).size === objects.length
      ? { layout, ground: groundFor(shot, objects[0], state), objects }
      : undefined
  const denied = spoken.find(({ from, score }) => {
    const before = words.slice(Math.max(0, from - 3), from)
    return score >= 3 && before.some((word) => negations[language]?.test(word)) && !before.includes('only')
  })
  const scenes = [denied && sceneOf('crossedOut', [denied.object])]
  for (const [index, first] of spoken.entries()) {
    const second = spoken[index + 1]
    if (!second) break
    if (Math.min(first.score, second.score) < 4) continue
    const between = words.slice(first.to, second.from)
    // "More than 1,200 bridges" compares nothing.
    if (between.length > 6 || between.some((word) => /^\d/.test(word))) continue
    const subject = spoken[0]!.object
    if (between.some((word) => compares.test(word)) && language !== 'es')
      scenes.push(sceneOf('comparison', [subject, second.object]))
    else if (index === 0 && between.length <= 4 && between.some((word) => leadsTo.test(word)))
      scenes.push(sceneOf('pair', [subject, second.object]))
  }
  if (wanted.size > 1)
    scenes.push(...wantedLayouts(shot, [...wanted]).map(([layout, objects]) => sceneOf(layout, objects)))
  const listed = listIn(spoken.filter(({ score }) => score >= 4))
  if (listed && /,|\b(?:and|und|y|et|e|en|i)\b|और/u.test(shot.text) && named.length >= 3)
    scenes.push(sceneOf('chain', listed))
  return scenes.find((scene) => scene && isNew(scene, state))
}

/** Layouts of what the writer wants to be seen, by the English words that relate it. */
function wantedLayouts({ text }: PictureShot, [first, second, third]: readonly string[]): [PictureLayout, string[]][] {
  const both = [first!, second!]
  return [
    ...(/\b(?:versus|instead of|unlike|whereas|compared (?:to|with))\b/i.test(text)
      ? [['comparison', both] as const]
      : []),
    ...(/\b(?:turn(?:s|ed)? (?:\w+ ){0,5}into|becomes|leads? to|led to|causes|triggers|produces|grows? into)\b/i.test(
      text,
    )
      ? [['pair', both] as const]
      : []),
    ...(third && /\b(?:then|finally|afterwards|step by step|one after)\b/i.test(text)
      ? [['chain', [...both, third]] as const]
      : []),
  ].map(([layout, objects]) => [layout, [...objects]])
}

/** Three things that follow closely on one another. */
function listIn(matches: readonly ObjectMatch[]): string[] | undefined {
  for (const [index, first] of matches.entries()) {
    const three = [first, ...matches.slice(index + 1, index + 3)]
    const isClose = three.every(({ to }, at) => at === three.length - 1 || three[at + 1]!.from - to <= 3)
    const objects = three.map(({ object }) => object)
    if (isClose && new Set(objects).size === 3) return objects
  }
  return undefined
}

/** One thing, alone or among others. `skip` passes over the best ones. */
function plainLayout(
  shot: PictureShot,
  film: PictureFilm,
  state: FilmState,
  candidates: readonly Candidate[],
  named: readonly Candidate[],
  skip: number,
): PictureScene | undefined {
  const usable = candidates.filter(({ object }) => object !== state.previous?.objects[0])
  // An object comes again only where the words name it again.
  const main = usable.filter(({ object, score }) => score >= namedScoreMin || !state.mains.has(object))[skip]
  if (!main) return undefined
  // Beside what the writer wants to be seen, a loose word is noise.
  const wanted = shot.show?.length
    ? new Set([...showMatches(shot, film).map(({ object }) => object), ...state.titleObjects])
    : undefined
  const beside = named
    .filter(({ object, score, isAlternate }) => !isAlternate && object !== main.object && score >= 2.4)
    .map(({ object }) => object)
    .filter((object) => wanted?.has(object) ?? true)
  const ground = groundFor(shot, main.object, state)
  const wasAlone = state.previous?.layout === 'hero'
  const layouts: PictureScene[] = [
    { layout: 'hero', ground, objects: [main.object, ...beside.slice(0, 1)] },
    { layout: 'group', ground, objects: [main.object, ...beside.slice(0, 3)] },
    { layout: 'hero', ground, objects: [main.object, ...beside.slice(0, 2)] },
    { layout: 'hero', ground, objects: [main.object] },
  ]
  const ordered = wasAlone && beside.length > 1 ? [layouts[1]!, layouts[0]!, ...layouts.slice(2)] : layouts
  return ordered.find((scene) => (scene.layout !== 'group' || scene.objects.length > 2) && isNew(scene, state))
}

/** The film has shown what its words name: the topic with something else beside it, then neutral things. */
function anyNewScene(shot: PictureShot, state: FilmState, candidates: readonly Candidate[]): PictureScene {
  const pool = [...new Set([...candidates.map(({ object }) => object), ...state.topic.slice(0, 8)])]
  const neutral = neutralObjects.filter((object) => !pool.includes(object))
  const unused = neutral.filter((object) => !state.mains.has(object))
  const mains = pool.length > 0 ? pool : unused
  for (const layout of ['hero', 'group'] as const)
    for (const main of [...mains, ...unused, ...neutral])
      for (const other of layout === 'hero' ? [undefined, ...pool, ...neutral] : pool) {
        const third =
          layout === 'group' ? [...pool, ...neutral].find((object) => object !== main && object !== other) : undefined
        const objects = [main, other, third].filter((object) => object !== undefined)
        const scene: PictureScene = { layout, ground: groundFor(shot, main, state), objects }
        if (new Set(objects).size === objects.length && isNew(scene, state)) return scene
      }
  return { layout: 'hero', ground: 'abstract', objects: [] }
}

const groundFor = (
  { text, show = [] }: PictureShot,
  object: string | undefined,
  { topicGrounds, previous }: FilmState,
): PictureGround => chooseGround(`${text} ${show.join(' ')}`, object, topicGrounds, previous?.ground)
