/** What is priced: each item is a bill, computed from the measured figures and the deployment's sizes. */
import type { Figures } from '../../bench/figures.ts'
import type { Result } from '../../bench/result-files.ts'
import { assumptions } from './assumptions.ts'
import { type Bill, times, together } from './bill.ts'
import { idleBill } from './idle-bill.ts'
import { pathOf, transitionsOfPosting } from './state-paths.ts'
import { type Resource, type Sizes, sizesIn } from './templates.ts'
import { billOf, billOfStates, billOfTask, billOfTaskSeconds, billOfWaiting } from './usage-bill.ts'

/** What the benches kept of which costs are computed. */
export type Measured = { [Name in 'usage' | 'render' | 'generate']: Result<Figures[Name]> }

export interface Item {
  name: string
  bill: Bill
}

export interface Items {
  calls: Item[]
  work: Item[]
  kept: Item[]
  /** A month in a year of the deployment: 1 is its first. */
  idle: (year: number) => Bill
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
    idle: (year) => idleBill(resources, { tick, year }),
  }
}

function longerFilms({ render }: Measured, sizes: Sizes): Item[] {
  const { filmSeconds, film, cold, edit } = render.figures
  const perSecond = (cold.wallSeconds - film.wallSeconds) / (filmSeconds.cold - filmSeconds.film)
  return [
    { name: 'a further minute of a longer film', bill: billOfTaskSeconds(perSecond * 60, sizes) },
    {
      name: 'the same film again with one word edited',
      bill: together(billOfTask(edit.wallSeconds, sizes), billOfStates(pathOf('render').length)),
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
