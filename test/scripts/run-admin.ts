/** Runs an admin command in this process, against the service that the tests share. */
import { inject } from 'vitest'
import { parseAdminArguments } from '../../scripts/admin/parse-arguments.ts'

export async function runAdminHere<Result = Record<string, unknown>>(...words: string[]): Promise<Result> {
  const { run } = parseAdminArguments(words)
  if (!run) throw new Error(`There is no command ${words.join(' ')}.`)
  return (await run({ apiUrl: async () => inject('baseUrl'), isLocal: true })) as Result
}
