/** The goals of media work in functions, beside what was measured on one machine and what follows from it for AWS. */
import { functionCount } from '../../lib/render/segments/lane.ts'
import { assumptions } from './assumptions.ts'
import { billTotal } from './bill.ts'
import { type CostItem, type CostItems, functionsOfTenMinutes, type MeasuredResults } from './items.ts'
import { measuredCpus } from './usage-bill.ts'

/** The default of `renderFunctionMb`, and the size that docs/operations/deploy.md advises where the account allows it. */
export const functionSizesMb = [3_008, 7_076] as const
type FunctionMb = (typeof functionSizesMb)[number]

interface RenderGoal {
  name: string
  secondsMax: number
  usdMax: number | undefined
  /** From the request to the result on the local run; undefined where no bench measures this case. */
  measuredSeconds: number | undefined
  /** On paper, for AWS, by the memory of the media function. */
  paperSeconds: Record<FunctionMb, number>
  /** On paper, for AWS, with the default memory. */
  paperUsd: number | undefined
}

/** Seconds on paper from the request to the result; `work` are wall seconds on both processors of the measured machine. */
function secondsOn(megabytes: FunctionMb, work: number, { isCold = true, runs = 1 } = {}): number {
  const start = isCold ? assumptions.coldStartSeconds : 0
  return runs * assumptions.runSeconds + start + cpuSecondsOf(work) / vcpusOf(megabytes)
}

/** The same for work in parallel functions. They leave a warm one that joins, which takes `join` on one processor. */
function secondsInParallel(megabytes: FunctionMb, work: number, join: number): number {
  const cpuSeconds = cpuSecondsOf(work)
  const count = functionCount(cpuSeconds, { functionsMax: functionsOfTenMinutes, functionVcpus: vcpusOf(megabytes) })
  return secondsOn(megabytes, work / count) + join * assumptions.armFactor
}

const vcpusOf = (megabytes: FunctionMb) => megabytes / assumptions.megabytesOfCpu
const cpuSecondsOf = (work: number) => work * measuredCpus * assumptions.armFactor

export function renderGoals({ work }: Pick<CostItems, 'work'>, measured: MeasuredResults): RenderGoal[] {
  const { film, cold, edit, filmSeconds } = measured.render.figures
  const generation = measured.generate.figures.ai_image
  const perSecond = (cold.wallSeconds - film.wallSeconds) / (filmSeconds.cold - filmSeconds.film)
  // An edit renders two seconds of a minute and joins the minute; the rest of its time grows with the length.
  const joinOfTenMinutes = 10 * (edit.wallSeconds - 2 * perSecond)
  const on = (seconds: (megabytes: FunctionMb) => number) =>
    Object.fromEntries(functionSizesMb.map((megabytes) => [megabytes, seconds(megabytes)])) as Record<
      FunctionMb,
      number
    >
  const usdOf = (name: RegExp) => billTotal(requireItem(work, name).bill)
  const editUsd = usdOf(/one word edited/)
  return [
    {
      name: 'one word of a video of one minute, by a warm function',
      ...{ secondsMax: 5, usdMax: 0.0005, paperUsd: editUsd, measuredSeconds: measured.edits.figures.seconds },
      paperSeconds: on((megabytes) => secondsOn(megabytes, edit.wallSeconds, { isCold: false })),
    },
    {
      name: 'the same, with a cold start',
      ...{ secondsMax: 9, usdMax: 0.0005, paperUsd: editUsd, measuredSeconds: undefined },
      paperSeconds: on((megabytes) => secondsOn(megabytes, edit.wallSeconds)),
    },
    {
      name: 'a video of 30 s, with a cold start',
      ...{ secondsMax: 10, usdMax: 0.0012, measuredSeconds: film.wallSeconds },
      paperUsd: usdOf(/^half a minute/),
      paperSeconds: on((megabytes) => secondsOn(megabytes, film.wallSeconds)),
    },
    {
      name: 'a video of ten minutes, by parallel functions, with cold starts',
      ...{ secondsMax: 25, usdMax: 0.022, paperUsd: usdOf(/^ten minutes/), measuredSeconds: undefined },
      paperSeconds: on((megabytes) => secondsInParallel(megabytes, 600 * perSecond, joinOfTenMinutes)),
    },
    {
      name: 'a minute generated with the built-in providers and rendered',
      ...{ secondsMax: 25, usdMax: 0.003, measuredSeconds: generation.seconds + cold.wallSeconds },
      paperUsd: usdOf(/^a generated minute/) + usdOf(/^a rendered minute, /),
      paperSeconds: on((megabytes) => secondsOn(megabytes, generation.seconds + cold.wallSeconds, { runs: 2 })),
    },
    {
      name: 'the picture of a scene, drawn while the request waits',
      ...{ secondsMax: 8, usdMax: undefined, paperUsd: undefined, measuredSeconds: undefined },
      paperSeconds: on((megabytes) => secondsOn(megabytes, generation.seconds / generation.pictures)),
    },
  ]
}

function requireItem(items: readonly CostItem[], name: RegExp): CostItem {
  const item = items.find((one) => name.test(one.name))
  if (!item) throw new Error(`No line of the costs matches ${name}.`)
  return item
}
