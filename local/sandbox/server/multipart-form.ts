// Parses multipart/form-data as upload hosts require it: all fields first, the file last.

import { MalformedRequest, type SandboxRequest } from './request.ts'

interface MultipartForm {
  fields: Record<string, string>
  file: { field: string; name: string; type: string; bytes: Buffer }
}

export async function readMultipartForm({ headers, body }: SandboxRequest): Promise<MultipartForm> {
  const entries = await entriesOf(headers['content-type'] ?? '', body)
  const last = entries.pop()
  if (!last || typeof last[1] === 'string') throw new MalformedRequest('The last field must be the file.')
  const [field, file] = last
  const fields = entries.map(([name, value]) => {
    if (typeof value !== 'string') throw new MalformedRequest('There must be one file.')
    return [name, value]
  })
  if (new Set(fields.map(([name]) => name)).size < fields.length) throw new MalformedRequest('A field comes twice.')
  const bytes = Buffer.from(await file.arrayBuffer())
  return { fields: Object.fromEntries(fields), file: { field, name: file.name, type: file.type, bytes } }
}

async function entriesOf(type: string, body: Buffer): Promise<[string, string | File][]> {
  if (!type.startsWith('multipart/form-data')) throw new MalformedRequest(`The body must be a form, not ${type}.`)
  try {
    return [...(await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData())]
  } catch (error) {
    throw new MalformedRequest((error as Error).message)
  }
}
