/**
 * Chooses what is drawn for every shot of a film: objects that its words name, in a layout that fits the sentence.
 * Deterministic; never the same scene twice in a film, and no main object twice while the words name another.
 */

import { familyOf, isAnimal, isFiller, isPerson } from './picture-families.ts'
import { chartFiguresOf, counterFigureOf, quotationOf, timelineFiguresOf, yearOrMeasureOf } from './picture-figures.ts'
import { chooseGround, groundsNamedBy, homeOf } from './picture-grounds.ts'
import { findPlaces, type PlaceIndex } from './picture-places.ts'
import type { PictureFigure, PictureGround, PictureLayout, PictureScene } from './picture-scene.ts'
import {
  findObjects,
  type ObjectMatch,
  objectOfNoun,
  type PictureIndex,
  tokensOf,
  withShortNames,
} from './picture-words.ts'

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
  /** Position in the shot's text. */
  from: number
  /** Whether the words of the shot name it, or the writer wants it to be seen with them. */
  isNamed: boolean
  /** Whether the words of the shot itself say it, or the writer wants it in the only shot of its sentence. */
  isOwn: boolean
}

/** The position of what the words of a shot do not name: behind all words. */
const unsaid = 99

/** What an object must score to be drawn for the words of its shot. */
const namedScoreMin = 1.9
const [showScore, spokenBonus] = [7, 1.5]
/** Of what the title names: spoken, it comes before what the writer wants to be seen. */
const subjectBonus = 2.3
/** A thing is seen before what is done to it. */
const verbMalus = 0.6
/** What another part of the sentence names is seen there. */
const elsewhereMalus = 2.2
/** What the writer wants but no word of the shot says is seen first in those shots of its sentence that name nothing. */
const unspokenMalus = 2.3
/** A film opens with what its title names, unless its first words name a thing. */
const [openingScore, spokenOpeningScore] = [4.6, 11]
/** The baby and the mother of an animal are drawn as people: only where nothing else is left. */
const outOfPlaceMalus = 3.4
/** Rulers, arrows and the like, that the writer names for want of a thing. */
const faintMalus = 2.6
/** Another drawing of a word: taken where nothing else is left. */
const alternateScore = 1.7
/** What a keyword of an object says, at most: less than any name, and nothing where the writer says what to show. */
const looseScoreMax = 4
const topicScore = 1.5
/** A call to the viewer, like a question, names no things by the way: "Who should hear about it?" */
const callToViewer =
  /\b(?:comments?|subscribe|follow (?:me|us|for)|let (?:me|us) know|tell (?:me|us)|share (?:this|it)|tag)\b/i
/** As a small thing beside another, in a film. */
const propsMax = 2
/** Shown where no word of the whole film names a thing. */
const neutralObjects =
  'light-bulb open-book compass puzzle-piece magnifying-glass-tilted-left hourglass-done world-map sparkles bullseye telescope scroll bookmark'.split(
    ' ',
  )

/** A scene for every shot. `taken`: scenes of the film that stay as they are. */
export function choosePictures(
  shots: readonly PictureShot[],
  described: PictureFilm,
  taken: readonly PictureScene[] = [],
): PictureScene[] {
  const film = withTitleWords(described)
  const state = stateOf(film, shots, taken)
  const { plans, cards, mains } = assign(shots, film, state)
  return plans.map((plan, index) => {
    if (mains[index]) state.later.delete(mains[index])
    const scene = sceneFor(plan, film, state, { card: cards[index], main: mains[index], next: mains[index + 1] })
    remember(scene, state)
    return scene
  })
}

/** Which shots have neither a card nor a thing of their own that no other shot shows. */
export function shotsWithoutPicture(shots: readonly PictureShot[], described: PictureFilm): boolean[] {
  const film = withTitleWords(described)
  const { cards, mains } = assign(shots, film, stateOf(film, shots, []))
  return shots.map((_, index) => !cards[index] && !mains[index])
}

const withTitleWords = (film: PictureFilm): PictureFilm => ({
  ...film,
  vocabulary: { ...film.vocabulary, local: withShortNames(film.vocabulary.local, film.title) },
})

function assign(shots: readonly PictureShot[], film: PictureFilm, state: FilmState) {
  const isWhole = state.keys.size === 0
  const sentences = sentencesOf(shots, film)
  const plans = shots.map((shot, index): Plan => {
    const sentence = sentences[index]!
    return { shot, sentence, candidates: candidatesFor(shot, sentence, film, state, index === 0 && isWhole) }
  })
  const cards = plans.map((plan) => cardOf(plan, film, state))
  const mains = assignMains(plans, cards, state)
  state.later = new Set(mains.flatMap((main) => main ?? []))
  return { plans, cards, mains }
}

interface Plan {
  shot: PictureShot
  sentence: Sentence
  candidates: Candidate[]
}

/** The whole sentence that a shot is a part of, read once for all its shots. */
interface Sentence {
  shotsCount: number
  /** Each once. */
  objects: readonly ObjectMatch[]
  bars: PictureFigure[] | undefined
  dated: PictureFigure[] | undefined
}

/** The sentence of every shot: it ends with the shot after which nothing is continued. */
function sentencesOf(shots: readonly PictureShot[], { vocabulary: { local } }: PictureFilm): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  shots.forEach(({ continued }, index) => {
    if (continued && index < shots.length - 1) return
    const parts = shots.slice(from, index + 1)
    const text = [...parts.map((part) => part.text), continued].filter(Boolean).join(' ')
    const objects = [...new Map(findObjects(text, local).map((match) => [match.object, match])).values()]
    const sentence = { shotsCount: parts.length, objects, bars: chartFiguresOf(text), dated: timelineFiguresOf(text) }
    sentences.push(...parts.map(() => sentence))
    from = index + 1
  })
  return sentences
}

/**
 * The main object of every shot without a card: the best pairs of a shot and an object first, so that a thing is seen
 * where it fits best, and no thing twice.
 */
function assignMains(
  plans: readonly Plan[],
  cards: readonly (PictureScene | undefined)[],
  { mains: usedMains, families: usedFamilies }: FilmState,
): (string | undefined)[] {
  const [used, families] = [new Set(usedMains.keys()), new Set(usedFamilies)]
  const chosen: (string | undefined)[] = plans.map(() => undefined)
  const scores: (number | undefined)[] = []
  const pairs = plans.flatMap(({ candidates }, index) =>
    cards[index] ? [] : mainCandidates(candidates).map((candidate) => ({ index, ...candidate })),
  )
  const ranked = pairs.toSorted((a, b) => b.score - a.score || a.index - b.index || a.from - b.from)
  const take = (isOpen: (pair: (typeof ranked)[number]) => boolean) => {
    for (const pair of ranked) {
      const { index, object, score } = pair
      if (score <= (scores[index] ?? 0) || used.has(object) || !isOpen(pair)) continue
      chosen[index] = object
      scores[index] = score
      used.add(object)
      families.add(familyOf(object))
    }
  }
  take(({ index, object }) => !chosen[index] && !families.has(familyOf(object)))
  // Rather the face of a cat than no cat, and than something that is hardly named.
  take(({ index, score }) => score >= looseScoreMax && (scores[index] ?? 0) < looseScoreMax)
  return chosen
}

/** Where the words of a shot name a thing, nothing is shown that they do not name: rather that thing again, beside others. */
function mainCandidates(candidates: readonly Candidate[]): Candidate[] {
  const isNaming = namesThing(candidates)
  return candidates.filter(
    ({ object, score, isOwn }) => score >= namedScoreMin && (!isNaming || (isOwn && !isFiller(object))),
  )
}

const namesThing = (candidates: readonly Candidate[]): boolean =>
  candidates.some(({ object, score, isOwn }) => isOwn && score >= looseScoreMax && !isFiller(object))

interface FilmState {
  keys: Set<string>
  /** How often an object was the main one. */
  mains: Map<string, number>
  families: Set<string>
  /** What is assigned to later shots. */
  later: Set<string>
  /** How often an object was a small one beside another. */
  props: Map<string, number>
  /** Figures, quotations and places that were shown. */
  shownTexts: Set<string>
  previous?: PictureScene
  topic: string[]
  titleObjects: ReadonlySet<string>
  topicGrounds: PictureGround[]
  /** Whether the writer says what is to be seen. */
  isDirected: boolean
  counters: number
  maps: number
  /** Objects of the title that the shots so far name. */
  namedSubjects: Set<string>
  /** The layout of the card of the shot before. */
  previousCard?: PictureLayout | undefined
  /** Of counters and of maps. */
  cardsMax: number
}

function stateOf(film: PictureFilm, shots: readonly PictureShot[], taken: readonly PictureScene[]): FilmState {
  const topic = topicObjects(film, shots)
  const titleObjects = findObjects(film.title, film.vocabulary.local)
    .filter(({ score }) => score >= looseScoreMax)
    .map(({ object }) => object)
  const state: FilmState = {
    keys: new Set(),
    mains: new Map(),
    families: new Set(),
    later: new Set(),
    props: new Map(),
    shownTexts: new Set(),
    namedSubjects: new Set(),
    topic,
    titleObjects: new Set(titleObjects),
    topicGrounds: topicGroundsOf(film, titleObjects),
    isDirected: shots.some(({ show = [] }) => show.length > 0),
    counters: 0,
    maps: 0,
    cardsMax: Math.max(1, Math.ceil(shots.length / 4)),
  }
  for (const scene of taken) remember(scene, state)
  return state
}

/** Where the film is at home: what its title names, and where the things of its title are found. */
const topicGroundsOf = ({ title }: PictureFilm, titleObjects: readonly string[]): PictureGround[] => [
  ...new Set([...groundsNamedBy(title), ...titleObjects.flatMap((object) => homeOf(object).slice(0, 1))]),
]

/** What the film is about: the objects of its title, then those that its words name most often. */
function topicObjects(
  { title, text, vocabulary: { local, english } }: PictureFilm,
  shots: readonly PictureShot[],
): string[] {
  const weights = new Map<string, number>()
  const add = (matches: readonly ObjectMatch[], weight: number) => {
    for (const { object, alternates, score } of matches) {
      if (score < looseScoreMax) continue
      weights.set(object, (weights.get(object) ?? 0) + weight * score)
      for (const other of alternates.slice(0, 2)) weights.set(other, (weights.get(other) ?? 0) + 0.2 * weight * score)
    }
  }
  add(findObjects(title, local), 4)
  add(findObjects(text, local), 1)
  const wanted = new Set(shots.flatMap(({ show = [] }) => show))
  add(
    [...wanted].flatMap((noun) => objectOfNoun(noun, english) ?? []),
    1,
  )
  return [...weights].toSorted(([, a], [, b]) => b - a).map(([object]) => object)
}

const keyOf = ({ layout, objects, figures = [], text = '' }: PictureScene): string =>
  [layout, [...objects].toSorted().join('+'), figures.map((figure) => figure.text).join('/'), text].join('|')

/** Layouts in which the first objects are all of one size. */
const mainsOf = ({ layout, objects }: PictureScene): string[] =>
  objects.slice(0, layout === 'chain' ? 3 : layout === 'pair' || layout === 'comparison' ? 2 : 1)
/** Layouts with an object beside a figure, a place or a quotation. */
const isCard = ({ layout }: PictureScene) => /^(?:chart|counter|timeline|quote|map)$/.test(layout)

function remember(scene: PictureScene, state: FilmState): void {
  state.keys.add(keyOf(scene))
  if (scene.layout === 'ensemble') {
    state.previous = scene
    return
  }
  const mains = isCard(scene) ? [] : mainsOf(scene)
  const count = (counts: Map<string, number>, object: string) => counts.set(object, (counts.get(object) ?? 0) + 1)
  for (const main of mains) {
    count(state.mains, main)
    state.families.add(familyOf(main))
  }
  for (const prop of scene.objects.slice(mains.length)) count(state.props, prop)
  for (const { text } of scene.figures ?? []) state.shownTexts.add(text)
  if (scene.text) state.shownTexts.add(scene.text)
  state.previous = scene
}

interface Choice {
  card: PictureScene | undefined
  /** Assigned to the shot. */
  main: string | undefined
  /** Assigned to the next shot. */
  next: string | undefined
}

function sceneFor(plan: Plan, film: PictureFilm, state: FilmState, { card, main, next }: Choice): PictureScene {
  if (card) return { ...card, objects: accentOf(plan, state, next) }
  const options = [() => sentenceLayout(plan, film, state, main), () => plainLayout(plan, state, main, next)]
  for (const option of options) {
    const scene = option()
    if (scene && isNew(scene, state)) return scene
  }
  return anyNewScene(plan, film, state, next)
}

const isNew = (scene: PictureScene, { keys, previous }: FilmState): boolean =>
  !keys.has(keyOf(scene)) && (scene.objects[0] === undefined || scene.objects[0] !== previous?.objects[0])

/** Objects for a shot, the best one first. */
function candidatesFor(
  shot: PictureShot,
  sentence: Sentence,
  film: PictureFilm,
  { topic, titleObjects, isDirected }: FilmState,
  isOpening: boolean,
): Candidate[] {
  const { local } = film.vocabulary
  const best = new Map<string, Candidate>()
  const add = (object: string, score: number, from = unsaid, isNamed = true, isOwn = false) => {
    const known = best.get(object)
    if (known && known.score >= score) {
      known.from = Math.min(known.from, from)
      known.isOwn ||= isOwn
    } else
      best.set(object, {
        ...{ object, score, isNamed },
        from: Math.min(from, known?.from ?? unsaid),
        isOwn: isOwn || known?.isOwn === true,
      })
  }
  const isLoose = ({ score }: ObjectMatch) => score < looseScoreMax
  const isExact = isDirected || callToViewer.test(shot.text) || /\?$/.test(shot.text.trimEnd())
  const spoken = findObjects(shot.text, local).filter((match) => !isExact || !isLoose(match))
  const here = new Set(spoken.map(({ object }) => object))
  const tokens = tokensOf(shot.text, local.language, local)
  const isAboutAnimal = [...titleObjects].some(isAnimal)
  const isOutOfPlace = (object: string) => isAboutAnimal && isPerson(object)
  for (const { object, alternates, score, from } of spoken) {
    const isVerb = local.language === 'en' && /(?:ed|ing)$/.test(tokens[from] ?? '')
    const malus = isOutOfPlace(object) ? outOfPlaceMalus : isVerb || isFiller(object) ? verbMalus : 0
    add(object, score + (titleObjects.has(object) ? subjectBonus : 0) - malus, from, true, !isOutOfPlace(object))
    for (const [rank, other] of alternates.entries()) add(other, alternateScore - 0.1 * rank, unsaid, false)
  }
  const elsewhere = sentence.objects.filter((match) => !isLoose(match) && !here.has(match.object))
  for (const { object, score } of elsewhere)
    if (!isOutOfPlace(object) && !isFiller(object)) add(object, score - elsewhereMalus, unsaid, false)
  const words = new Set(tokens)
  const isElsewhere = new Set(elsewhere.map(({ object }) => object))
  for (const [index, { object, alternates, score, noun }] of showMatches(shot, film).entries()) {
    const isSpoken = here.has(object) || tokensOf(noun, 'en').some((word) => words.has(word) || words.has(`${word}s`))
    const unspoken = sentence.shotsCount > 1 ? -unspokenMalus : 0
    const bonus = isSpoken ? spokenBonus : isElsewhere.has(object) ? -elsewhereMalus : unspoken
    const isFaint = score < namedScoreMin || (isFiller(object) && !here.has(object))
    const isOwn = isSpoken || sentence.shotsCount === 1
    add(object, showScore - 0.4 * index + bonus - (isFaint ? faintMalus : 0), unsaid, true, isOwn)
    for (const [rank, other] of alternates.entries()) add(other, alternateScore - 0.1 * rank, unsaid, false)
  }
  if (isOpening)
    for (const [rank, object] of [...titleObjects].entries())
      add(object, (here.has(object) ? spokenOpeningScore : openingScore) - 0.2 * rank, unsaid, here.has(object), true)
  for (const [rank, object] of topic.slice(0, 12).entries()) add(object, topicScore - 0.05 * rank, unsaid, false)
  return [...best.values()].toSorted((a, b) => b.score - a.score || a.from - b.from)
}

/** The object of each word to show. */
const showMatches = (
  { show = [] }: PictureShot,
  { vocabulary: { english } }: PictureFilm,
): (ObjectMatch & { noun: string })[] =>
  show.flatMap((noun) => {
    const match = objectOfNoun(noun, english)
    return match ? [{ ...match, noun }] : []
  })

/** What may stand beside the main object: named by the shot, not seen too often, and not the main one of a neighbour. */
function propsFor({ candidates }: Plan, state: FilmState, main: string, next: string | undefined): string[] {
  const isFree = (object: string) =>
    (state.props.get(object) ?? 0) + (state.mains.get(object) ?? 0) < propsMax &&
    familyOf(object) !== familyOf(main) &&
    object !== next &&
    !state.previous?.objects.includes(object)
  const named = candidates.filter(
    ({ score, isNamed, object }) => isNamed && score >= looseScoreMax && !isFiller(object) && isFree(object),
  )
  return named
    .filter(({ object }, index) => named.findIndex((other) => familyOf(other.object) === familyOf(object)) === index)
    .map(({ object }) => object)
}

/** The object beside a figure or a place: what the words name, preferably one that is no picture of its own. */
function accentOf(plan: Plan, state: FilmState, next: string | undefined): string[] {
  const free = propsFor(plan, state, '', next)
  const fresh = free.filter((object) => !state.families.has(familyOf(object)))
  return [...fresh, ...free].slice(0, 1)
}

/** Quotations, dates, figures and places; the object beside them is chosen later. Counts what it shows. */
function cardOf({ shot, sentence, candidates }: Plan, film: PictureFilm, state: FilmState): PictureScene | undefined {
  const { text, continued = '' } = shot
  const subject = candidates.find(({ object, from }) => from < unsaid && state.titleObjects.has(object))?.object
  const isFirst = subject !== undefined && !state.namedSubjects.has(subject)
  if (isFirst) state.namedSubjects.add(subject)
  const card = cardFor(text, continued, sentence, film, state, { isSubject: isFirst, isNaming: namesThing(candidates) })
  state.previousCard = card?.layout
  if (!card) return undefined
  for (const figure of card.figures ?? []) state.shownTexts.add(figure.text)
  if (card.text) state.shownTexts.add(card.text)
  if (card.layout === 'counter') state.counters += 1
  if (card.layout === 'map') state.maps += 1
  const accent = candidates.find(({ isNamed }) => isNamed)?.object
  return { ground: groundFor(shot, accent, state), objects: [], ...card }
}

function cardFor(
  text: string,
  continued: string,
  { bars, dated }: Sentence,
  film: PictureFilm,
  state: FilmState,
  { isSubject, isNaming }: { isSubject: boolean; isNaming: boolean },
): Pick<PictureScene, 'layout' | 'text' | 'figures' | 'place'> | undefined {
  const isFresh = (texts: readonly string[]) => texts.some((one) => !state.shownTexts.has(one))
  const areUnseen = (figures: readonly PictureFigure[]) => figures.every((figure) => !state.shownTexts.has(figure.text))
  const quote = quotationOf(`${text} ${continued}`)
  if (quote && /[“«„"]/.test(text) && isFresh([quote])) return { layout: 'quote', text: quote }
  if (/\d/.test(text)) {
    if (dated && areUnseen(dated) && dated.some((figure) => text.includes(figure.text)))
      return { layout: 'timeline', figures: dated }
    if (bars && (areUnseen(bars) || bars.filter(({ text }) => !state.shownTexts.has(text)).length > 2)) {
      const countIn = (part: string) => bars.filter((figure) => part.includes(figure.text)).length
      // In the shot that speaks most of its figures, the first of equals.
      if (countIn(text) > 0 && countIn(text) >= countIn(continued)) return { layout: 'chart', figures: bars }
    }
  }
  const place = findPlaces(text, film.vocabulary.places).find(({ name }) => !state.shownTexts.has(name))
  // Where a subject of the title is named first, it is seen, rather than where it is.
  if (place && !isSubject && state.maps < state.cardsMax && state.previousCard !== 'map') {
    const { name, latitude, longitude } = place
    return { layout: 'map', text: name, place: { latitude, longitude } }
  }
  const figure = counterFigureOf(text, continued) ?? (isNaming ? undefined : yearOrMeasureOf(text))
  if (figure && isFresh([figure.text]) && state.counters < state.cardsMax && state.previousCard !== 'counter')
    return { layout: 'counter', figures: [figure] }
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
/** "Made of cardboard" turns nothing into cardboard. */
const comesFrom = /^(?:of|from|by|with|out)$/
/** "Eggs, and make salmon pink": the second thing belongs to another statement. */
const joins = /^(?:and|or|but|und|oder|aber|y|o|pero|et|ou|mais|e)$/
const compares = /^(?:than|versus|vs|instead|unlike|whereas|als|statt|que|frente|contre)$/

/** Crossed out, A to B, compared, in a row: what the sentence says about its things, none of them seen before. */
function sentenceLayout(
  { shot, candidates }: Plan,
  film: PictureFilm,
  state: FilmState,
  main: string | undefined,
): PictureScene | undefined {
  const { language } = film.vocabulary.local
  const words = tokensOf(shot.text, language, film.vocabulary.local)
  const wanted = new Set(showMatches(shot, film).map(({ object }) => object))
  const isUnseen = (object: string) =>
    object === main || !(state.families.has(familyOf(object)) || state.later.has(object))
  // Where the writer says what is to be seen, other things of the sentence are not.
  const spoken = findObjects(shot.text, film.vocabulary.local).filter(
    ({ score, object }) => score >= namedScoreMin && (wanted.size === 0 || wanted.has(object)),
  )
  const sceneOf = (layout: PictureLayout, objects: string[]): PictureScene | undefined =>
    new Set(objects).size === objects.length && objects.every(isUnseen)
      ? { layout, ground: groundFor(shot, objects[0], state), objects }
      : undefined
  // "Without Einstein, …" is about Einstein, and a film does not open with its subject beside something crossed out.
  const canDeny = !/^without\b/i.test(shot.text) && (state.previous || !main || !state.titleObjects.has(main))
  const denied = spoken.find(({ from, score }) => {
    if (!canDeny) return false
    const before = words.slice(Math.max(0, from - 3), from)
    return score >= 3 && before.some((word) => negations[language]?.test(word)) && !before.includes('only')
  })
  const scenes = [denied && sceneOf('crossedOut', [denied.object])]
  for (const [index, first] of spoken.entries()) {
    const second = spoken[index + 1]
    if (!second) break
    if (Math.min(first.score, second.score) < looseScoreMax) continue
    const between = words.slice(first.to, second.from)
    // "More than 1,200 bridges" compares nothing.
    if (between.length > 6 || between.some((word) => /^\d/.test(word))) continue
    const subject = spoken[0]!.object
    if (between.some((word) => compares.test(word)) && language !== 'es')
      scenes.push(sceneOf('comparison', [subject, second.object]))
    else if (
      index === 0 &&
      between.length <= 4 &&
      between.some((word, at) => leadsTo.test(word) && !comesFrom.test(between[at + 1] ?? '')) &&
      !joins.test(between[0]!)
    )
      scenes.push(sceneOf('pair', [subject, second.object]))
  }
  if (
    wanted.size > 1 &&
    !namesThing(candidates) &&
    /\b(?:versus|instead of|unlike|whereas|compared (?:to|with))\b/i.test(shot.text)
  )
    scenes.push(sceneOf('comparison', [...wanted].slice(0, 2)))
  const listed = listIn(spoken.filter(({ score }) => score >= looseScoreMax))
  const namedCount = candidates.filter(({ isNamed, score }) => isNamed && score >= namedScoreMin).length
  const parts = shot.text.replace(/[,.;]$/, '').split(/,|\s(?:and|or|und|oder|y|et|e|en|i)\s|और/u)
  if (listed && parts.length >= 3 && namedCount >= 3) scenes.push(sceneOf('chain', listed))
  return scenes.find((scene) => scene && isNew(scene, state))
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

/** One thing, alone or with what else the words of its shot name. */
function plainLayout(
  plan: Plan,
  state: FilmState,
  main: string | undefined,
  next: string | undefined,
): PictureScene | undefined {
  if (!main) return undefined
  const beside = propsFor(plan, state, main, next)
  const ground = groundFor(plan.shot, main, state)
  const scenes: PictureScene[] = [
    ...(beside.length > 1 ? [{ layout: 'group' as const, ground, objects: [main, ...beside.slice(0, 2)] }] : []),
    { layout: 'hero', ground, objects: [main, ...beside.slice(0, 1)] },
    { layout: 'hero', ground, objects: [main] },
  ]
  const isAfterGroup = state.previous?.layout === 'group'
  return (isAfterGroup ? scenes.slice(-2) : scenes).find((scene) => isNew(scene, state))
}

/**
 * Two or three things of the sentence, all of which were seen; a single one comes with the subject of the title, and
 * where nothing else is named, the subject with what the film names most. `next`: first in the next shot.
 */
function ensembleOf({ shot, candidates }: Plan, state: FilmState, next: string | undefined): PictureScene | undefined {
  const named = candidates
    .filter(({ score }) => score >= namedScoreMin)
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn))
    .map(({ object }) => object)
  const seen = state.topic.filter((object) => state.mains.has(object))
  const subjects = [...named, ...state.titleObjects]
  const isAlone = new Set(subjects.map(familyOf)).size === 1
  const apart = ((named.length > 0 && !isAlone) || subjects.length === 0 ? subjects : [...subjects, ...seen]).filter(
    (object, index, all) =>
      !isFiller(object) && all.findIndex((other) => familyOf(other) === familyOf(object)) === index,
  )
  const [first, second, third, fourth] = apart
  const choices = [
    [first, second, third],
    [second, first, third],
    [first, second],
    [second, first],
    [first, third],
    [second, third, fourth],
  ].map((choice) => choice.filter((object) => object !== undefined))
  return choices
    .filter(({ length }) => length > 1)
    .toSorted(([a], [b]) => Number(a === next) - Number(b === next))
    .map((objects): PictureScene => ({ layout: 'ensemble', ground: groundFor(shot, objects[0], state), objects }))
    .find((scene) => isNew(scene, state))
}

/**
 * Nothing of its own is left for the shot: the place of the title, things of its sentence together, another drawing of
 * a thing that was seen, the topic, neutral things.
 */
function anyNewScene(plan: Plan, film: PictureFilm, state: FilmState, next: string | undefined): PictureScene {
  const { shot, candidates } = plan
  const place = findPlaces(film.title, film.vocabulary.places).find(({ name }) => !state.shownTexts.has(name))
  if (place && state.previous?.layout !== 'map') {
    const { name, latitude, longitude } = place
    return { layout: 'map', ground: 'studio', objects: [], text: name, place: { latitude, longitude } }
  }
  const pool = [...new Set([...candidates.map(({ object }) => object), ...state.topic.slice(0, 16)])]
  const isFree = (object: string) => !state.mains.has(object) && !state.later.has(object)
  const isFresh = (object: string) => isFree(object) && !state.families.has(familyOf(object))
  const ensemble = ensembleOf(plan, state, next)
  if (ensemble) return ensemble
  const time = yearOrMeasureOf(shot.text)
  if (time && !state.shownTexts.has(time.text))
    return { layout: 'counter', ground: 'studio', objects: accentOf(plan, state, next), figures: [time] }
  const alternates = candidates.filter(({ score }) => score > topicScore && score < namedScoreMin)
  const topic = [
    ...alternates.map(({ object }) => object).filter(isFree),
    ...[...state.topic.slice(0, 16), ...pool].filter(isFresh),
  ]
  const unseen = topic.toSorted((a, b) => Number(isFiller(a)) - Number(isFiller(b)))
  const related = pool.filter(isFree)
  const neutral = neutralObjects.filter((object) => !pool.includes(object))
  const mains = [...unseen, ...related, ...neutral.filter(isFree), ...pool, ...neutral]
  for (const layout of ['hero', 'group'] as const)
    for (const main of mains)
      for (const other of layout === 'hero' ? [undefined, ...neutral, ...pool] : [...neutral, ...pool]) {
        const third =
          layout === 'group' ? [...pool, ...neutral].find((object) => object !== main && object !== other) : undefined
        const objects = [main, other, third].filter((object) => object !== undefined)
        const scene: PictureScene = { layout, ground: 'studio', objects }
        if (new Set(objects).size === objects.length && isNew(scene, state))
          return { ...scene, ground: groundFor(shot, main, state) }
      }
  return { layout: 'hero', ground: 'studio', objects: [] }
}

const groundFor = (
  { text }: PictureShot,
  object: string | undefined,
  { topicGrounds, previous }: FilmState,
): PictureGround => chooseGround(text, object, topicGrounds, previous?.ground)
