// The directory of identities (did:plc) in memory. What may stand in it is decided by the directory's own rules, which are a package.
// https://web.plc.directory/spec/v0.1/did-plc

import { json } from 'node:stream/consumers'
import { assureValidNextOp, formatDidDoc, getLastOpWithCid, opToData } from '@did-plc/lib'

export function directory() {
  const logs = new Map()

  async function append(did, operation) {
    const log = logs.get(did) ?? []
    await assureValidNextOp(did, log, operation)
    const { cid } = await getLastOpWithCid([operation])
    logs.set(did, [...log, { did, operation, cid, nullified: false, createdAt: new Date() }])
    return {}
  }

  function read(did, what) {
    const last = logs.get(did)?.at(-1)
    const data = last && opToData(did, last.operation)
    if (!data) return undefined
    return what === 'data' ? data : formatDidDoc(data)
  }

  return async (request, response) => {
    const [, did, what] = decodeURIComponent(request.url).split('/')
    const answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      const found = request.method === 'POST' ? await append(did, await json(request)) : read(did, what)
      if (found) answer(200, found)
      else answer(404, { message: `DID not registered: ${did}` })
    } catch (error) {
      answer(400, { message: error.message })
    }
  }
}
