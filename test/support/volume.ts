/** How much of what is drawn at random, or only repeated, is tried: `npm test` takes a part, `npm run test:full` all of it. */
export const volume = (part: number, full: number): number => (process.env.VOLUME === 'full' ? full : part)
