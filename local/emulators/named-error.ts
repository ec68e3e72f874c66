// AWS tells errors apart by name, on the wire and in a state machine's Retry and Catch.

export function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}
