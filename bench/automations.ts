/**
 * `npm run bench:automations`: the time to decide the slots of 10,000 automations that are due in the same minute, with
 * the sweeper as the only trigger; and the cost of its ticks where 1,000 are due among 1,000 and among 20,000. The last
 * line of output is one JSON object.
 */
import { measureDecisions } from './automations/service.ts'
import { startBench } from './result-files.ts'

const due = Number(process.env.AUTOMATIONS ?? 10_000)
const few = Math.round(due / 10)

const end = await startBench('automations')
const [alone, among] = await measureDecisions([
  { count: few, isDue: true },
  { count: due * 2 - few, isDue: false },
  { count: few, isDue: true },
])
const [all] = await measureDecisions([{ count: due, isDue: true }])
if (!alone || !among || !all) throw new Error('A part of the bench returned no measurement.')
console.table({ [`${few} alone`]: alone, [`${few} among ${due * 2}`]: among, [`${due} due`]: all })
end({
  due,
  few,
  alone,
  among,
  all,
  growth: { units: among.read / alone.read, seconds: among.seconds / alone.seconds },
})
