/**
 * The lines that the service of the tests logs at ERROR. Each asks for an operator: no request may cause one, whatever its
 * response.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const isError = (text: string) => text.includes('"level":"ERROR"')

/** Writes the lines at ERROR of this process into the file; `isShown`: to the terminal as well. Returns an undo. */
export function collectErrorLines(file: string, { isShown }: { isShown: boolean }): () => void {
  const undos = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      const text = String(chunk)
      if (!isError(text)) return write.call(stream, chunk, ...rest)
      appendFileSync(file, text)
      return isShown ? write.call(stream, chunk, ...rest) : true
    }) as typeof write
    return () => {
      stream.write = write
    }
  })
  return () => {
    for (const undo of undos) undo()
  }
}

/** The collected lines, without the colours and prefixes of a reporter. */
export const readErrorLines = (file: string): string[] =>
  existsSync(file) ? linesAtError(readFileSync(file, 'utf8')) : []

/** Those of the output of a process. */
export const linesAtError = (output: string): string[] => output.split('\n').filter(isError)

/** @throws Error with the lines, where there are any. */
export function assertNone(errorLines: readonly string[]): void {
  if (errorLines.length > 0)
    throw new Error(`The service logged ${errorLines.length} errors:\n${errorLines.join('\n')}`)
}
