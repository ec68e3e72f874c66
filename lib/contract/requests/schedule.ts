/** The timing block of PATCH /automations/{id}, which is always sent whole. */
import * as v from 'valibot'
import { plainObject } from '../../domain/core/plain-object.ts'
import {
  frequencies,
  isTimeZone,
  type Schedule,
  slotModes,
  slotsPerFrequency,
  weekdays,
} from '../../domain/records/schedule.ts'

const slotTime = {
  time: v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59')),
  mode: v.nullish(v.picklist(slotModes), 'fixed'),
}
const slotOfWeek = { day: v.picklist(weekdays), ...slotTime }

const scheduleBlock = v.object({
  frequency: v.picklist(frequencies),
  timezone: v.pipe(v.string(), v.check(isTimeZone, 'must be an IANA time zone')),
  /** Absent, null and empty mean the same. */
  times: v.nullish(v.array(plainObject(v.object(slotTime))), []),
  days: v.nullish(v.array(plainObject(v.object(slotOfWeek))), []),
})
type Block = v.InferOutput<typeof scheduleBlock>

/** The list of the frequency holds as many slots as it says, the other one none. */
const hasSlotsOfFrequency = v.rawCheck<Block>(({ dataset, addIssue }) => {
  if (!dataset.typed) return
  const { value: input } = dataset
  const { list, count } = slotsPerFrequency[input.frequency]
  for (const key of ['times', 'days'] as const) {
    const needed = key === list ? count : 0
    if (input[key].length === needed) continue
    const few = needed === 0 ? 'must be empty' : `must hold exactly ${needed} ${needed === 1 ? 'item' : 'items'}`
    addIssue({
      message: `${few} where the frequency is ${input.frequency}`,
      path: [{ type: 'object', origin: 'value', input, key, value: input[key] }],
    })
  }
})

/** Two slots at one moment would make two clips for one place. */
const hasEachSlotOnce = v.rawCheck<Block>(({ dataset, addIssue }) => {
  if (!dataset.typed) return
  const { value: block } = dataset
  const seen = new Set<string>()
  for (const list of ['times', 'days'] as const)
    for (const [key, slot] of block[list].entries()) {
      const moment = slotSortKey(slot)
      if (seen.has(moment))
        addIssue({
          message: 'is the time of a slot before it',
          path: [
            { type: 'object', origin: 'value', input: block, key: list, value: block[list] },
            { type: 'array', origin: 'value', input: block[list], key, value: slot },
            { type: 'object', origin: 'value', input: { ...slot }, key: 'time', value: slot.time },
          ],
        })
      seen.add(moment)
    }
})

/** A text that sorts as the slots of a day or of a week do. */
const slotSortKey = (slot: Block['times'][number] | Block['days'][number]) =>
  'day' in slot ? `${weekdays.indexOf(slot.day)} ${slot.time}` : slot.time

const sortSlots = <Slot extends Block['times'][number]>(slots: Slot[]) =>
  slots.toSorted((a, b) => (slotSortKey(a) < slotSortKey(b) ? -1 : 1))

/** Gives a `Schedule`, its slots in order. Unknown keys are dropped, so that a schedule that was read can be sent back changed. */
export const scheduleRequest = plainObject(
  v.pipe(
    scheduleBlock,
    hasSlotsOfFrequency,
    hasEachSlotOnce,
    v.transform(({ times, days, ...rest }): Schedule => ({ ...rest, times: sortSlots(times), days: sortSlots(days) })),
  ),
)
