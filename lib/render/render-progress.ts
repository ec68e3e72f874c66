/** The progress of a render as the client sees it. */

/** 100 is never reported here: the caller still has to check and store the result. */
const percentMax = 99

/**
 * Returns a function that takes finished frames and reports their share of `frames` in whole percent, only when it
 * increases.
 */
export function monotonicPercent(frames: number, report: (percent: number) => void): (finishedFrames: number) => void {
  let highest = -1
  return (finishedFrames) => {
    const percent = Math.max(0, Math.min(percentMax, Math.floor((100 * finishedFrames) / frames)))
    if (percent <= highest) return
    highest = percent
    report(percent)
  }
}
