// Bluesky's video service, which is not open: what its lexicons say of films that come whole, with the real verification of permissions. It takes
// its time, and puts the film into the account's repository with the permission that it was given.
// https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/video

import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { verifyJwt } from '@atproto/xrpc-server'

const uploadBlob = 'com.atproto.repo.uploadBlob'
/** How often a job is asked for before it is done. */
const polls = 2

class Refused extends Error {
  constructor(status, error, message) {
    super(message)
    Object.assign(this, { status, error })
  }
}

/** `plc` is the directory of identities, `pds` the server of the accounts. */
export function videoService({ plc, pds }) {
  const jobs = new Map()

  async function upload(request, query) {
    const film = await buffer(request)
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const { did: audience } = await answerOf(`${pds}/xrpc/com.atproto.server.describeServer`)
    const { iss: did } = await verifyJwt(token, audience, uploadBlob, (issuer) => signingKey(plc, issuer)).catch(
      (error) => {
        throw new Refused(401, 'AuthenticationRequired', error.message)
      },
    )
    if (query.get('did') !== did) throw new Refused(400, 'InvalidRequest', 'This is another account.')
    if (request.headers['content-type'] !== 'video/mp4')
      throw new Refused(400, 'UnsupportedContentType', 'Not video/mp4.')
    if (Number(request.headers['content-length']) !== film.length)
      throw new Refused(411, 'InvalidRequest', 'No length.')
    if (film.toString('latin1', 4, 8) !== 'ftyp') throw new Refused(400, 'InvalidRequest', 'Not an mp4.')
    const jobId = createHash('sha256').update(did).update(film).digest('hex').slice(0, 24)
    const old = jobs.get(jobId)
    if (old?.blob) return [409, { ...stateOf(old), error: 'already_exists', message: 'Video already processed' }]
    const job = { jobId, did, film, token, asked: 0, blob: undefined }
    jobs.set(jobId, job)
    return [200, { jobStatus: stateOf(job) }]
  }

  async function status(query) {
    const job = jobs.get(query.get('jobId'))
    if (!job) throw new Refused(400, 'InvalidRequest', 'There is no such job.')
    job.asked++
    if (job.asked >= polls && !job.blob) job.blob = await keep(job)
    return [200, { jobStatus: stateOf(job) }]
  }

  async function keep({ film, token }) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'video/mp4' }
    const { blob } = await answerOf(`${pds}/xrpc/${uploadBlob}`, { method: 'POST', headers, body: film })
    return blob
  }

  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, pds)
    try {
      const [code, body] = pathname.endsWith('.getJobStatus')
        ? await status(searchParams)
        : await upload(request, searchParams)
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } catch (error) {
      const { status: code = 500, error: name = 'InternalServerError', message } = error
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ error: name, message }))
    }
  }
}

const stateOf = ({ jobId, did, blob }) => ({
  jobId,
  did,
  ...(blob ? { state: 'JOB_STATE_COMPLETED', blob } : { state: 'JOB_STATE_ENCODING', progress: 40 }),
})

/** With which the account's repository signs: the directory says it (https://atproto.com/specs/did). */
async function signingKey(plc, issuer) {
  const { verificationMethods } = await answerOf(`${plc}/${issuer.split('#')[0]}/data`)
  return verificationMethods.atproto
}

async function answerOf(url, how) {
  const answer = await fetch(url, how)
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answers ${answer.status}: ${body.message}`)
  return body
}
