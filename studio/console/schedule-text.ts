/** A schedule in words. */
import type { Schedule } from './schedule.ts'

const names: Record<Schedule['frequency'], string> = {
  daily: 'Daily',
  'twice-daily': 'Twice a day',
  'thrice-daily': 'Three times a day',
  weekly: 'Weekly',
  'twice-weekly': 'Twice a week',
  'thrice-weekly': 'Three times a week',
}

export const frequencies = Object.entries(names) as [Schedule['frequency'], string][]

/** How many slots a frequency has, in a day or in a week. */
export const slotCount = (frequency: Schedule['frequency']) =>
  frequency.startsWith('twice') ? 2 : frequency.startsWith('thrice') ? 3 : 1

export const isWeekly = (frequency: Schedule['frequency']) => frequency.endsWith('weekly')

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function scheduleText({ times, days, timezone }: Schedule): string {
  const at = ({ time, mode }: Schedule['times'][number]) =>
    mode === 'random' ? `in the hour after ${time}` : `at ${time}`
  const slots = [...times.map(at), ...days.map((slot) => `${capitalize(slot.day)} ${at(slot)}`)]
  const list = new Intl.ListFormat('en').format(slots)
  return `${times.length > 0 ? 'Every day ' : ''}${list} (${timezone})`
}
