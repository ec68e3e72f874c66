/** Lets so many run at a time; the others wait in the order in which they came. */
export function semaphore(atOnce: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let free = atOnce
  const waiting: (() => void)[] = []
  return async (run) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const first = waiting.shift()
      if (first) first()
      else free++
    }
  }
}
