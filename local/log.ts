// How the machinery of the local run tells what went wrong. The caller chooses where the lines go.

/** One line for people, with the error behind it where there is one. Never a body, a key or a credential. */
export type Log = (message: string, error?: unknown) => void
