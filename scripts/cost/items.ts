/** What is priced: each item is a bill, computed from the measured figures and the deployment's sizes. */
import type { UsageFigures } from '../../bench/usage.ts'
import { assumptions } from './assumptions.ts'
import { type Bill, times, together } from './bill.ts'
import { idleBill } from './idle.ts'
import { pathOf, transitionsOfPosting } from './paths.ts'
import { type Resource, type Sizes, sizesIn } from './stack.ts'
import { billOf, billOfStates, billOfTask, billOfTaskSeconds, billOfWaiting } from './work.ts'

/** Where and when figures were taken. */
export interface Source {
  command: string
  machine: string
  node: string
  date: string
}
interface Film {
  filmSeconds: number
  wallSeconds: number
}
export interface Measured {
  usage: Source & { figures: UsageFigures }
  /** `editSeconds`: one word of the longer film. */
  render: Source & { figures: { shortFilm: Film; longFilm: Film; editSeconds: number } }
  generate: Source & { figures: { picturesOfMinute: number } }
}

export interface Item {
  name: string
  bill: Bill
}

export interface Items {
  calls: Item[]
  work: Item[]
  kept: Item[]
  idle: Bill
}

const gigabyte = 1024 ** 3
const dispatcher = 'workers/dispatch-outbox'

export function itemsOf(measured: Measured, resources: readonly Resource[]): Items {
  const sizes = sizesIn(resources)
  const { routes, sweep, generation, render } = measured.usage.figures
  const generated = together(billOf(generation.used, sizes), billOfStates(pathOf('generate').length))
  const rendered = together(billOf(render.used, sizes), billOfStates(pathOf('render').length))
  const publishedTo = (accounts: number) => publication(measured, accounts, sizes)
  const stored: Bill = { objectStored: (generation.storedBytes + render.storedBytes) / gigabyte }
  const ofMinute = (bill: Bill) => times(bill, 60 / generation.seconds)
  const tick = together(times(billOf(sweep.used, sizes), 1 / sweep.ticks), { schedule: 1 })
  return {
    calls: Object.entries(routes).map(([name, { requests, used }]) => ({
      name,
      bill: times(billOf(used, sizes), 1000 / requests),
    })),
    work: [
      { name: 'a generated minute, by the built-in makers', bill: ofMinute(generated) },
      { name: 'a rendered minute, as a film of its own', bill: ofMinute(rendered) },
      ...longerFilms(measured, sizes),
      { name: 'a published video, one account', bill: publishedTo(1) },
      { name: 'a published video, ten accounts', bill: publishedTo(10) },
      { name: '1,000 webhook deliveries', bill: deliveries(measured, sizes) },
      { name: 'a slot of an automation, without its clip and its post', bill: slot(measured, sizes) },
    ],
    kept: [
      {
        name: 'a video of a minute: generated, rendered, published to one account and kept for a month',
        bill: together(ofMinute(generated), ofMinute(rendered), publishedTo(1), ofMinute(stored)),
      },
      { name: 'of that, a month in storage', bill: ofMinute(stored) },
      {
        name: '1,000 views of its film',
        bill: { fetched: (1000 * (render.filmBytes * 60)) / render.seconds / gigabyte, fetchedRequest: 1000 },
      },
    ],
    idle: idleBill(resources, { tick }),
  }
}

function longerFilms({ render }: Measured, sizes: Sizes): Item[] {
  const { shortFilm, longFilm, editSeconds } = render.figures
  const perSecond = (longFilm.wallSeconds - shortFilm.wallSeconds) / (longFilm.filmSeconds - shortFilm.filmSeconds)
  return [
    { name: 'a further minute of a longer film', bill: billOfTaskSeconds(perSecond * 60, sizes) },
    {
      name: 'the same film again with one word edited',
      bill: together(billOfTask(editSeconds, sizes), billOfStates(pathOf('render').length)),
    },
  ]
}

/** Everything in it belongs to an account but for the request and the first and last state, which are counted with each. */
function publication({ usage }: Measured, accounts: number, sizes: Sizes): Bill {
  const { publication, render } = usage.figures
  const step = 'pipelines/publish/take-step'
  const steps = publication.used[step]?.runs ?? 0
  const ofOne = together(
    times(billOf(publication.used, sizes), 1 / publication.accounts),
    times(billOfWaiting(step, publication.used[step], assumptions.platformMs, sizes), 1 / publication.accounts),
    { sentOut: render.filmBytes / gigabyte },
  )
  const transitions = pathOf('publish').length + accounts * transitionsOfPosting(steps / publication.accounts)
  return together(times(ofOne, accounts), billOfStates(transitions))
}

function deliveries({ usage }: Measured, sizes: Sizes): Bill {
  const { count, used } = usage.figures.deliveries
  const worker = 'workers/deliver-webhook'
  const waiting = billOfWaiting(worker, used[worker], assumptions.endpointMs, sizes)
  return times(together(billOf(used, sizes), waiting), 1000 / count)
}

/** Its decision, the call that wakes for it, and what it leaves to the outbox, each row dispatched by itself. */
function slot({ usage }: Measured, sizes: Sizes): Bill {
  const { slots, generation } = usage.figures
  const dispatched = generation.used[dispatcher]
  if (!dispatched) throw new Error(`Nothing was measured of ${dispatcher}.`)
  const ofRow = times(billOf({ [dispatcher]: dispatched }, sizes), 1 / dispatched.runs)
  const decided = times(billOf(slots.used, sizes), 1 / slots.count)
  return together(decided, times(ofRow, slots.outboxRows / slots.count), { schedule: 1 })
}
