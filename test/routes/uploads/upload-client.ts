/** Creates uploads over HTTP and sends their files, as a client does. */
import { callApi, type World } from '../../support/world.ts'

/** Begins like an mp4, which is all that is checked before a generation reads the file. */
export const mp4 = (bytes: number) =>
  Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(bytes - 8, 7)])

export const declaredFile = { fileName: 'Harbour at dawn.mp4', contentType: 'video/mp4', bytes: 1_000 }

export const createUpload = ({ apiKey }: World, fields: object = {}) =>
  callApi('POST', '/uploads', { key: apiKey, body: { ...declaredFile, ...fields } })

export const getUploadOf = ({ apiKey }: World, id: string) => callApi('GET', `/uploads/${id}`, { key: apiKey })

/** Sends a file to its presigned URL; the status of the answer. */
export const sendFile = async (
  { uploadUrl, headers, method = 'PUT' }: { uploadUrl: string; headers: Record<string, string>; method?: string },
  file: Uint8Array<ArrayBuffer> = mp4(declaredFile.bytes),
  more: Record<string, string> = {},
) => (await fetch(uploadUrl, { method, headers: { ...headers, ...more }, body: file })).status
