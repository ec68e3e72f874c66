// The log of the local run itself. The caller chooses the output.

/** Logs one line, with an optional error. Never a body, a key or a credential. */
export type Log = (message: string, error?: unknown) => void
