/**
 * The side of the child process: loads a model once, then answers requests one after another over the IPC channel of
 * Node. Ends with its parent.
 */

/** An input that can never be answered. */
export class InputRefused extends Error {
  override name = 'InputRefused'
}

export interface ModelRequest {
  id: number
  input: unknown
}

/** `ready` without an id, then one answer a request. */
export type ModelAnswer =
  | { ready: true }
  | { id: number; output: unknown }
  | { id: number; failure: string; isRefused: boolean }

/** `load` gets the settings that the parent has passed as the last argument. */
export async function serveRequests<Settings, Input, Output>(
  load: (settings: Settings) => Promise<(input: Input) => Promise<Output>>,
): Promise<void> {
  process.on('disconnect', () => process.exit())
  const send = (answer: ModelAnswer) => process.send?.(answer)
  const answer = await load(JSON.parse(process.argv.at(-1)!))
  process.on('message', async ({ id, input }: ModelRequest) => {
    try {
      send({ id, output: await answer(input as Input) })
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      send({ id, failure, isRefused: error instanceof InputRefused })
    }
  })
  send({ ready: true })
}
