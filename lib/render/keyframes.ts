/** Piecewise linear tracks. Two key frames at the same time are a step: the second value applies from then on. */

/** Key frames in order of time. The value is constant before the first and after the last. */
export type Track = readonly (readonly [ms: number, value: number])[]

export function valueAt(track: Track, ms: number): number {
  const next = track.findIndex(([time]) => time > ms)
  if (next === 0) return track[0]![1]
  if (next === -1) return track.at(-1)![1]
  const [fromMs, from] = track[next - 1]!
  const [toMs, to] = track[next]!
  return from + ((to - from) * (ms - fromMs)) / (toMs - fromMs)
}

/** The same track on a clock that starts `ms` later. */
export function shiftTrack(track: Track, ms: number): Track {
  return track.map(([time, value]) => [time - ms, value])
}

/** The key frames that determine the values from `fromMs` to `toMs`; a single one where the value is constant. */
export function sliceTrack(track: Track, fromMs: number, toMs: number): Track {
  const first = Math.max(
    0,
    track.findLastIndex(([ms]) => ms <= fromMs),
  )
  const next = track.findIndex(([ms]) => ms > toMs)
  const slice = track.slice(first, next === -1 ? undefined : next + 1)
  const [, value] = slice[0]!
  return slice.every(([, other]) => other === value) ? [[fromMs, value]] : slice
}

/** The product of two tracks, exact at the key frames of both. */
export function multiplyTracks(a: Track, b: Track): Track {
  const times = [...new Set([...a, ...b].map(([time]) => time))].toSorted((x, y) => x - y)
  return times.map((time) => [time, valueAt(a, time) * valueAt(b, time)])
}
