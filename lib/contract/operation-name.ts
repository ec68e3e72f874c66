/** The names under which generated clients offer a row: a noun and a verb, from the file of its handler. */
import type { Route } from './route.ts'

export interface OperationName {
  /** `videos`: the folder of the handler. */
  group: string
  /** `addScene`: the file of the handler, in camel case. */
  verb: string
}

/** `{ group: 'videos', verb: 'addScene' }` for the handler `videos/add-scene`. */
export function operationName({ handler }: Pick<Route, 'handler'>): OperationName {
  const [group = '', file = ''] = handler.split('/')
  return { group, verb: file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) }
}
