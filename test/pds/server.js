// The real Bluesky server on this machine, for a test: a PDS, the directory that it keeps identities in, and a video service. A process of its own,
// because the PDS changes Express for everybody and keeps 300 MB. Prints where it is as one line of JSON, and ends with its parent.

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { envToCfg, envToSecrets, PDS } from '@atproto/pds'
import { directory } from './directory.js'
import { videoService } from './video-service.js'

const [folder] = process.argv.slice(2)
const hex = (bytes) => randomBytes(bytes).toString('hex')

/** On 127.0.0.1 alone: what the packages themselves start listens everywhere. */
async function listen(handler, port = 0) {
  const server = createServer(handler)
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server.address().port
}

// By name: the PDS takes the number of a host for no host name at all.
const plc = `http://localhost:${await listen(directory())}`

// The PDS writes its own address into identities, so it is chosen before.
const port = await listen((request, response) => pds.app(request, response))
const env = {
  devMode: true,
  hostname: 'localhost',
  port,
  dataDirectory: folder,
  blobstoreDiskLocation: `${folder}/blobs`,
  didPlcUrl: plc,
  serviceHandleDomains: ['.test'],
  inviteRequired: false,
  disableSsrfProtection: true,
  // The usual one is 5 MB.
  blobUploadLimit: 300_000_000,
  crawlers: [],
  jwtSecret: hex(16),
  dpopSecret: hex(32),
  adminPassword: hex(16),
  plcRotationKeyK256PrivateKeyHex: hex(32),
}
const pds = await PDS.create(envToCfg(env), envToSecrets(env))
await pds.ctx.sequencer.start()

const host = `http://localhost:${port}`
const video = `http://localhost:${await listen(videoService({ plc, pds: host }))}`
process.stdin.on('end', () => process.exit(0)).resume()
console.log(JSON.stringify({ pds: host, video, jwtSecret: env.jwtSecret }))
