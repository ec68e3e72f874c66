/** Lets a worker handle its messages between two pieces of work: a frame that is due is drawn in time. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
