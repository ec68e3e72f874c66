/** Arithmetic on ISO times. */

export const secondsAfter = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString()

/** 0 if `to` is before `from`: clocks of two machines may differ. */
export const secondsBetween = (from: string, to: string) => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)

export const earliest = (...times: [string, ...string[]]): string => times.toSorted()[0]!
