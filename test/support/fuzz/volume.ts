/** How much of what is drawn at random, or only repeated, is tried: `npm test` takes a part, `npm run test:full` all of it. */
export const volume = (part: number, full: number): number => (process.env.VOLUME === 'full' ? full : part)

/** Of many kinds each place tries one in so many, another part than its neighbour: all are tried somewhere, and all everywhere in full. */
export const rotatingSample = <Kind>(kinds: readonly Kind[], place: number, oneIn: number): Kind[] =>
  kinds.filter((_kind, index) => (index + place) % volume(oneIn, 1) === 0)
