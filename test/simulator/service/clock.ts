/** `lib/clock.ts` in virtual time. */
export const now = () => new Date(simulator.now()).toISOString()
