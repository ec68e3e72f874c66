// Errors that are identified by name, as in the AWS wire protocols and in Retry and Catch of a state machine.

export function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}
