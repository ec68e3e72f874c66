/** What commands send: the client with the network and the clock of the command, and the bytes of stdin. */
import { createClient } from './client/index.js'

/** @import { Context, Io } from './types.js' */

/** @param {Context} context */
export function createApiClient({ io, print, connect }) {
  const { baseUrl, apiKey, workspaceId } = connect()
  return createClient({
    baseUrl,
    apiKey,
    workspaceId,
    fetch: io.fetch,
    sleep: io.sleep,
    onWarning: (warning) => print.note({ warning }),
  })
}

/** @param {Io['stdin']} stdin */
export async function readAll(stdin) {
  const chunks = []
  for await (const chunk of stdin) chunks.push(Buffer.from(/** @type {Uint8Array} */ (chunk)))
  return Buffer.concat(chunks)
}
