/** Values that change in straight lines between moments. Two key frames at one moment are a step: the second counts from it on. */

/** Milliseconds and value, in rising order of time; before the first and after the last the value stands still. */
export type Track = readonly (readonly [ms: number, value: number])[]

export function valueAt(track: Track, ms: number): number {
  const next = track.findIndex(([time]) => time > ms)
  if (next === 0) return track[0]![1]
  if (next === -1) return track.at(-1)![1]
  const [fromMs, from] = track[next - 1]!
  const [toMs, to] = track[next]!
  return from + ((to - from) * (ms - fromMs)) / (toMs - fromMs)
}

/** The same course, seen from a clock that starts `ms` later. */
export function shiftTrack(track: Track, ms: number): Track {
  return track.map(([time, value]) => [time - ms, value])
}

/** What of a course decides its values from `fromMs` to `toMs`: a single key frame where it rests meanwhile. */
export function sliceTrack(track: Track, fromMs: number, toMs: number): Track {
  const first = Math.max(
    0,
    track.findLastIndex(([ms]) => ms <= fromMs),
  )
  const next = track.findIndex(([ms]) => ms > toMs)
  const part = track.slice(first, next === -1 ? undefined : next + 1)
  const [, value] = part[0]!
  return part.every(([, other]) => other === value) ? [[fromMs, value]] : part
}

/** The product of two courses, exact at the key frames of both. */
export function multiplyTracks(a: Track, b: Track): Track {
  const times = [...new Set([...a, ...b].map(([time]) => time))].toSorted((x, y) => x - y)
  return times.map((time) => [time, valueAt(a, time) * valueAt(b, time)])
}
