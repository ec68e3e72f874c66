/** Values as text for people, in the language of the interface. */

const locale = 'en'

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString(locale)} ${count === 1 ? one : many}`

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** `1:05`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const [minutes, rest] = [Math.floor(whole / 60), String(whole % 60).padStart(2, '0')]
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
}

const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** `November 2026` of `2026-11`. */
export const formatMonth = (month: string) => months.format(Date.parse(`${month}-01`))

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const relativeShort = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' })

/** `3 hours ago`, `in 5 minutes`. */
export const formatRelative = (instant: string) => relativeTo(Date.now(), instant, relative)
/** `3h ago`. */
export const formatRelativeShort = (instant: string) => relativeTo(Date.now(), instant, relativeShort)

function relativeTo(now: number, instant: string, format: Intl.RelativeTimeFormat): string {
  const seconds = (Date.parse(instant) - now) / 1000
  const [size, unit] = steps.find(([size]) => Math.abs(seconds) >= size) ?? [1, 'second']
  if (unit === 'second') return seconds > 0 ? 'in less than a minute' : 'just now'
  return format.format(Math.trunc(seconds / size), unit)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** In the zone of the browser by default. */
export function formatTime(instant: string, timeZone?: string): string {
  const key = timeZone ?? ''
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      hourCycle: 'h23',
      ...(timeZone && { timeZone }),
    })
  formats.set(key, format)
  return format.format(Date.parse(instant))
}

/** The name of a language of the service: `de` is `German`. */
export const languageName = (code: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code
