/** `node:timers` in virtual time: with a real timer, middy would hold each request and its process in memory for 30 s. */
export const setTimeout = (run: () => void, ms: number): { cancel: () => void } => simulator.setTimeout(run, ms)
