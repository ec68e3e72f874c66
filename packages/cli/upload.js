/** Uploads a file through a presigned URL, until it is a video. */
import { constants, openAsBlob } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { exitCodes, Failure, usageFailure } from './failure.js'

/** @import { Client, CreateUploadRequest } from './client/index.js' */
/** @import { Io } from './types.js' */

const pollMs = 500

const contentTypes = /** @type {Record<string, CreateUploadRequest['contentType']>} */ ({
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
})

/**
 * Resolves to the id of the video. `fields` are those of the upload besides name, type and size.
 * @param {Client} client @param {string} file @param {Partial<CreateUploadRequest>} fields
 * @param {Pick<Io, 'fetch' | 'now' | 'signal' | 'sleep'> & { timeoutSeconds?: number | undefined }} io
 * @returns {Promise<string>}
 */
export async function uploadFile(client, file, fields, { fetch, now, signal, sleep, timeoutSeconds = 1800 }) {
  const contentType = contentTypes[extname(file).toLowerCase()]
  if (!contentType) throw usageFailure(`The file to upload must end in ${Object.keys(contentTypes).join(', ')}.`)
  await access(file, constants.R_OK).catch(({ code }) => {
    throw usageFailure(`${file} cannot be read: ${code}`)
  })
  // Read while it is sent: a file may be larger than the memory.
  const blob = await openAsBlob(file)
  const request = { ...fields, fileName: basename(file), contentType, bytes: blob.size }
  const { id, method, uploadUrl, headers } = await client.uploads.create(request, { signal })
  const put = await fetch(uploadUrl, { method, headers, body: blob, signal })
  await put.body?.cancel()
  if (!put.ok) throw uploadFailure(exitCodes.refused, `The storage refused ${file} with status ${put.status}.`)
  for (const until = now() + timeoutSeconds * 1000; now() < until; await sleep(pollMs, signal)) {
    const { videoId, status, error } = await client.uploads.get(id, { signal })
    if (status === 'failed') throw uploadFailure(exitCodes.jobFailed, `The upload failed: ${error?.message}`)
    if (videoId) return videoId
  }
  throw uploadFailure(exitCodes.unavailable, `${file} was sent, but is no video after ${timeoutSeconds} s.`)
}

/** @param {number} exitCode @param {string} message */
const uploadFailure = (exitCode, message) => new Failure('upload-failed', exitCode, message)
