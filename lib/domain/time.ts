/** Arithmetic on ISO times. */

export const secondsAfter = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString()

export const earliest = (...times: [string, ...string[]]): string => times.toSorted()[0]!
