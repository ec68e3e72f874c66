/** Builds multipart/form-data bodies (RFC 7578): the fields, then one file, which is streamed. */
import { createHash } from 'node:crypto'

export interface MultipartFile {
  /** The name of the form field. */
  field: string
  name: string
  type: string
  bytes: number
  read: () => AsyncIterable<Uint8Array>
}

interface MultipartForm {
  type: string
  body: { bytes: number; read: () => AsyncIterable<Uint8Array> }
}

export function multipartForm(fields: Readonly<Record<string, string>>, file: MultipartFile): MultipartForm {
  const boundary = boundaryOf(fields, file)
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"\r\n\r\n${value}\r\n`,
  )
  const disposition = `form-data; name="${escapeQuoted(file.field)}"; filename="${escapeQuoted(file.name)}"`
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${file.type}\r\n\r\n`,
  )
  const foot = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* read() {
    yield head
    yield* file.read()
    yield foot
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: { bytes: head.byteLength + file.bytes + foot.byteLength, read },
  }
}

/** 128 bits that no video can be crafted to contain, since the hashed fields come partly from the platform. */
const boundaryOf = (fields: object, { name, bytes }: MultipartFile) =>
  createHash('sha256')
    .update(JSON.stringify([fields, name, bytes]))
    .digest('hex')
    .slice(0, 32)

/** Escapes like browsers (https://html.spec.whatwg.org/#multipart-form-data). */
const escapeQuoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
