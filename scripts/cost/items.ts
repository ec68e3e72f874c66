/** The priced items: each is a bill, computed from the measured figures and the sizes of the deployment. */
import type { Figures } from '../../bench/figures.ts'
import type { BenchResult } from '../../bench/result-files.ts'
import { assumptions } from './assumptions.ts'
import { addBills, type Bill, scaleBill } from './bill.ts'
import { idleBill } from './idle-bill.ts'
import { happyPath, postingTransitions } from './state-paths.ts'
import { readSizes, type Sizes, type TemplateResource } from './templates.ts'
import { mediaFunctionBill, taskBill, transitionBill, usageBill, waitingBill } from './usage-bill.ts'

/** The bench results that costs are computed from. */
export type MeasuredResults = { [Name in 'usage' | 'render' | 'edits' | 'generate']: BenchResult<Figures[Name]> }

export interface CostItem {
  name: string
  bill: Bill
}

/** A month with so many videos of one minute, each published once, and so many views of them. */
export interface MonthItem {
  videos: number
  views: number
  bill: Bill
}

export interface CostItems {
  calls: CostItem[]
  work: CostItem[]
  storage: CostItem[]
  /** Whole months of a deployment, without what it costs idle. */
  months: MonthItem[]
  /** The bill of an idle month in a year of the deployment, from 1. */
  idle: (year: number) => Bill
}

const gigabyte = 1024 ** 3
/** At the most: the rule of the lanes starts no more for one render. */
export const functionsOfTenMinutes = 40
const dispatcher = 'workers/dispatch-outbox'

/** Videos and views of the months on the page. */
const monthSizes = [
  [100, 1_000],
  [1_000, 10_000],
  [1_000, 100_000],
  [10_000, 1_000_000],
] as const

/** A client that polls a video until it is ready, and is notified of its events. */
export const monthAssumptions = { readsPerVideo: 60, deliveriesPerVideo: 5 }

export function costItems(measured: MeasuredResults, resources: readonly TemplateResource[]): CostItems {
  const sizes = readSizes(resources)
  const { routes, sweep, generation, render } = measured.usage.figures
  const generated = addBills(usageBill(generation.used, sizes), transitionBill(happyPath('generate').length))
  const rendered = addBills(usageBill(render.used, sizes), transitionBill(happyPath('render').length))
  const publishedTo = (accounts: number) => publication(measured, accounts, sizes)
  const stored: Bill = { objectStored: (generation.storedBytes + render.storedBytes) / gigabyte }
  const ofMinute = (bill: Bill) => scaleBill(bill, 60 / generation.seconds)
  const tick = addBills(scaleBill(usageBill(sweep.used, sizes), 1 / sweep.ticks), { schedule: 1 })
  const lifeOfVideo = addBills(ofMinute(generated), ofMinute(rendered), publishedTo(1), ofMinute(stored))
  const ofView: Bill = { fetched: (render.filmBytes * 60) / render.seconds / gigabyte, fetchedRequest: 1 }
  const ofCall = (name: string) => {
    const route = routes[name]
    if (!route) throw new Error(`The usage bench has no route "${name}".`)
    return scaleBill(usageBill(route.used, sizes), 1 / route.requests)
  }
  const { readsPerVideo, deliveriesPerVideo } = monthAssumptions
  const ofVideo = addBills(
    lifeOfVideo,
    ofCall('begin a video'),
    scaleBill(ofCall('read a record'), readsPerVideo),
    scaleBill(deliveries(measured, sizes), deliveriesPerVideo / 1000),
  )
  return {
    calls: Object.entries(routes).map(([name, { requests, used }]) => ({
      name,
      bill: scaleBill(usageBill(used, sizes), 1000 / requests),
    })),
    work: [
      { name: 'a generated minute with the built-in providers', bill: ofMinute(generated) },
      { name: 'a rendered minute, as a separate video', bill: ofMinute(rendered) },
      ...longerVideos(measured, sizes),
      { name: 'a published video, one account', bill: publishedTo(1) },
      { name: 'a published video, ten accounts', bill: publishedTo(10) },
      { name: '1,000 webhook deliveries', bill: deliveries(measured, sizes) },
      { name: 'a slot of an automation, without its clip and post', bill: slot(measured, sizes) },
    ],
    storage: [
      {
        name: 'a video of one minute: generated, rendered, published to one account and stored for a month',
        bill: lifeOfVideo,
      },
      { name: 'of which a month of storage', bill: ofMinute(stored) },
      {
        name: '1,000 views of the video',
        bill: scaleBill(ofView, 1000),
      },
    ],
    months: monthSizes.map(([videos, views]) => ({
      videos,
      views,
      bill: addBills(scaleBill(ofVideo, videos), scaleBill(ofView, views)),
    })),
    idle: (year) => idleBill(resources, { tick, year }),
  }
}

function longerVideos({ render }: MeasuredResults, sizes: Sizes): CostItem[] {
  const { filmSeconds, film, cold, edit } = render.figures
  const transitions = transitionBill(happyPath('render').length)
  const transitionsOfTenMinutes = transitionBill(
    happyPath('render', { ChooseWhatIsNext: 'RenderParts' }).length + functionsOfTenMinutes,
  )
  const perSecond = (cold.wallSeconds - film.wallSeconds) / (filmSeconds.cold - filmSeconds.film)
  return [
    { name: 'a rendered minute in a task', bill: addBills(taskBill(cold.wallSeconds, sizes), transitions) },
    {
      name: 'half a minute of video, rendered by a function',
      bill: addBills(mediaFunctionBill(film.wallSeconds, sizes), transitions),
    },
    { name: 'each further minute of a longer video', bill: mediaFunctionBill(perSecond * 60, sizes) },
    {
      name: 'ten minutes of video, rendered by parallel functions',
      bill: addBills(mediaFunctionBill(perSecond * 600, sizes, functionsOfTenMinutes), transitionsOfTenMinutes),
    },
    {
      name: 'the same video rendered again with one word edited',
      bill: addBills(mediaFunctionBill(edit.wallSeconds, sizes), transitions),
    },
    {
      name: 'the same edit in a task',
      bill: addBills(taskBill(edit.wallSeconds, sizes), transitions),
    },
  ]
}

/** All usage is per account, except the request and the first and last state. */
function publication({ usage }: MeasuredResults, accounts: number, sizes: Sizes): Bill {
  const { publication, render } = usage.figures
  const step = 'pipelines/publish/take-step'
  const steps = publication.used[step]?.runs ?? 0
  const ofOne = addBills(
    scaleBill(usageBill(publication.used, sizes), 1 / publication.accounts),
    scaleBill(waitingBill(step, publication.used[step], assumptions.platformMs, sizes), 1 / publication.accounts),
    { sentOut: render.filmBytes / gigabyte },
  )
  const transitions = happyPath('publish').length + accounts * postingTransitions(steps / publication.accounts)
  return addBills(scaleBill(ofOne, accounts), transitionBill(transitions))
}

function deliveries({ usage }: MeasuredResults, sizes: Sizes): Bill {
  const { count, used } = usage.figures.deliveries
  const worker = 'workers/deliver-webhook'
  const waiting = waitingBill(worker, used[worker], assumptions.endpointMs, sizes)
  return scaleBill(addBills(usageBill(used, sizes), waiting), 1000 / count)
}

/** The decision, the schedule call, and the outbox rows, each dispatched separately. */
function slot({ usage }: MeasuredResults, sizes: Sizes): Bill {
  const { slots, generation } = usage.figures
  const dispatched = generation.used[dispatcher]
  if (!dispatched) throw new Error(`The usage bench has no figures for ${dispatcher}.`)
  const ofRow = scaleBill(usageBill({ [dispatcher]: dispatched }, sizes), 1 / dispatched.runs)
  const decided = scaleBill(usageBill(slots.used, sizes), 1 / slots.count)
  return addBills(decided, scaleBill(ofRow, slots.outboxRows / slots.count), { schedule: 1 })
}
