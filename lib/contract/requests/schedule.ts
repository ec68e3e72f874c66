/** The `schedule` of PATCH /automations/{id}. It is always sent as a whole. */
import * as v from 'valibot'
import { boundedList, boundedText } from '../../domain/core/bounded.ts'
import { plainObject } from '../../domain/core/plain-object.ts'
import {
  frequencies,
  isTimeZone,
  type Schedule,
  slotModes,
  slotsPerFrequency,
  slotTimePattern,
  timeZoneLengthMax,
  weekdays,
} from '../../domain/records/schedule.ts'

const slotTime = {
  time: v.pipe(v.string(), v.regex(slotTimePattern, 'must be a time from 00:00 to 23:59')),
  mode: v.nullish(v.picklist(slotModes), 'fixed'),
}
const slotOfWeek = { day: v.picklist(weekdays), ...slotTime }

/** The frequency allows fewer, and its check has the better message. */
const sentSlotsMax = 100

const scheduleBlock = v.object({
  frequency: v.picklist(frequencies),
  timezone: v.pipe(boundedText(timeZoneLengthMax), v.check(isTimeZone, 'must be an IANA time zone')),
  /** Absent, null and empty mean the same. */
  times: v.nullish(boundedList(plainObject(v.object(slotTime)), sentSlotsMax), []),
  days: v.nullish(boundedList(plainObject(v.object(slotOfWeek)), sentSlotsMax), []),
})
type Block = v.InferOutput<typeof scheduleBlock>

/** The frequency says which list is used and how many slots it holds; the other list is empty. */
const hasSlotsOfFrequency = v.rawCheck<Block>(({ dataset, addIssue }) => {
  if (!dataset.typed) return
  const { value: input } = dataset
  const { list, count } = slotsPerFrequency[input.frequency]
  for (const key of ['times', 'days'] as const) {
    const needed = key === list ? count : 0
    if (input[key].length === needed) continue
    const rule = needed === 0 ? 'must be empty' : `must hold exactly ${needed} ${needed === 1 ? 'item' : 'items'}`
    addIssue({
      message: `${rule} where the frequency is ${input.frequency}`,
      path: [{ type: 'object', origin: 'value', input, key, value: input[key] }],
    })
  }
})

/** Refuses duplicate slots: each slot publishes one clip. */
const hasEachSlotOnce = v.rawCheck<Block>(({ dataset, addIssue }) => {
  if (!dataset.typed) return
  const { value: block } = dataset
  const seen = new Set<string>()
  for (const list of ['times', 'days'] as const)
    for (const [key, slot] of block[list].entries()) {
      const sortKey = slotSortKey(slot)
      if (seen.has(sortKey))
        addIssue({
          message: 'duplicates an earlier slot',
          path: [
            { type: 'object', origin: 'value', input: block, key: list, value: block[list] },
            { type: 'array', origin: 'value', input: block[list], key, value: slot },
            { type: 'object', origin: 'value', input: { ...slot }, key: 'time', value: slot.time },
          ],
        })
      seen.add(sortKey)
    }
})

/** Sorts slots by time, weekly ones by day first. */
const slotSortKey = (slot: Block['times'][number] | Block['days'][number]) =>
  'day' in slot ? `${weekdays.indexOf(slot.day)} ${slot.time}` : slot.time

const sortSlots = <Slot extends Block['times'][number]>(slots: Slot[]) =>
  slots.toSorted((a, b) => (slotSortKey(a) < slotSortKey(b) ? -1 : 1))

/** Gives a `Schedule` with sorted slots. Ignores unknown keys, so that a schedule from a response can be edited and sent back. */
export const scheduleRequest = plainObject(
  v.pipe(
    scheduleBlock,
    hasSlotsOfFrequency,
    hasEachSlotOnce,
    v.transform(({ times, days, ...rest }): Schedule => ({ ...rest, times: sortSlots(times), days: sortSlots(days) })),
  ),
)
