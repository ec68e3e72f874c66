/** What clients saw: idempotency keys, repeats, and records that they have deleted. */
import * as routes from '../../../lib/contract/routes.ts'
import type { Answer, Sent } from '../client.ts'
import type { Facts } from './facts.ts'

/** Of all requests that create a video or queue a run, each with a key once. */
export function oneEffectPerKey({ sent, world: { monitor } }: Facts): string[] {
  const creating = new Set(['POST /videos', 'POST /videos/{id}/clips', 'POST /automations'])
  const isAccepted = (request: Sent) =>
    request.answers.some((answer) => answer === null || answer.status < 300 || answer.status >= 500)
  const possible = sent
    .filter(({ route }) => creating.has(route))
    .filter(isAccepted)
    .reduce((total, { key, answers }) => total + (key ? 1 : answers.length), 0)
  const created = [...monitor.videos.values()].filter(({ isDerived }) => !isDerived).length
  const ids = sent.flatMap(({ key, answers, route }) => {
    if (!key || !creating.has(route)) return []
    const found = new Set(
      answers.flatMap((answer) => (answer && answer.status < 300 ? [(answer.body.data as { id: string }).id] : [])),
    )
    return found.size > 1 ? [`The key ${key} gave the videos ${[...found].join(' and ')}.`] : []
  })
  const keysOf = Map.groupBy(
    sent.flatMap(({ key, route, answers }) =>
      key && creating.has(route)
        ? answers.flatMap((answer) =>
            answer && answer.status < 300 ? [{ key, id: (answer.body.data as { id: string }).id }] : [],
          )
        : [],
    ),
    ({ id }) => id,
  )
  for (const [id, uses] of keysOf)
    if (new Set(uses.map(({ key }) => key)).size > 1) ids.push(`Two keys gave the video ${id}.`)
  return created > possible ? [...ids, `${possible} requests created ${created} videos.`] : ids
}

/** Each key pays for a description of its own. */
export function describedApart({ sent }: Facts): string[] {
  const answers = sent.flatMap(({ key, route, answers }) =>
    key && route === routes.describeVideo.signature
      ? answers.flatMap((answer) => (answer?.status === 200 ? [{ key, text: withoutWarnings(answer.text) }] : []))
      : [],
  )
  return [...Map.groupBy(answers, ({ text }) => text)].flatMap(([text, uses]) => {
    const keys = new Set(uses.map(({ key }) => key))
    return keys.size > 1 ? [`The keys ${[...keys].join(' and ')} got the same description: ${text}`] : []
  })
}

/** After the answer to a DELETE, the record is gone for every later request. */
export function deletedIsGone({ sent }: Facts): string[] {
  const deletions = sent.flatMap(({ route, path, answers, endedAt }) =>
    route.startsWith('DELETE') &&
    /\/(videos|automations|webhooks)\/[^/]+$/.test(path) &&
    answers.some((answer) => answer?.status === 200)
      ? [{ id: path.split('/').at(-1)!, endedAt }]
      : [],
  )
  return deletions.flatMap(({ id, endedAt }) =>
    sent
      .filter((one) => one.startedAt > endedAt && one.path.split('/').includes(id))
      .filter(({ answers }) => answers.some((answer) => answer !== null && answer.status < 400))
      .map(({ route }) => `${id} was deleted, and ${route} found it later.`),
  )
}

/** Answers to repeats of one request are equal, but for those that it is still in progress. */
export function repeatsAreEqual({ sent }: Facts): string[] {
  return sent.flatMap(({ key, route, answers, late }) => {
    if (!key) return []
    if (
      late &&
      isFinal(late.last) &&
      isFinal(late.repeat) &&
      withoutWarnings(late.last.text) !== withoutWarnings(late.repeat.text)
    )
      return [`${route} with the key ${key} was answered otherwise minutes later.`]
    const texts = new Set(
      answers.flatMap((answer) => (answer && isFinal(answer) ? [withoutWarnings(answer.text)] : [])),
    )
    // A publication may be answered before and after its end.
    const answersMax = route === routes.publishVideo.signature ? 2 : 1
    return texts.size > answersMax ? [`${route} with the key ${key} was answered in ${texts.size} ways.`] : []
  })
}

/** Not of a request that is still in progress. */
const isFinal = ({ status }: Answer) => status < 300 && status !== 202

const withoutWarnings = (text: string) => text.replace(/,"warnings":\[.*\]\}$/, '}')
