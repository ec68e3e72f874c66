/** How far a render has come, as the client sees it. */

/** A film is not done before it is checked and stored, which is the caller's last step: 100 is never reported here. */
const percentMax = 99

/** Returns a function that takes finished frames and reports their share of `frames` in whole percent, only when it rises. */
export function monotonicPercent(frames: number, report: (percent: number) => void): (finishedFrames: number) => void {
  let highest = -1
  return (finishedFrames) => {
    const percent = Math.max(0, Math.min(percentMax, Math.floor((100 * finishedFrames) / frames)))
    if (percent <= highest) return
    highest = percent
    report(percent)
  }
}
