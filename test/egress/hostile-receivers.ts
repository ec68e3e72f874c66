/** Hostile receivers: each misbehaves in one way, on its own port. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { selfSigned } from './certificate.ts'

/** The result of a request to it: an accepted response, or part of the recorded failure. */
export interface HostileKind {
  name: string
  /** Responds to the head of a request. */
  script: (socket: Socket) => void
  scheme: 'http' | 'https'
  /** Set if it speaks TLS. */
  tls?: () => TlsOptions
  outcome: RegExp | 'delivered'
  /** It delays the attempt until the deadline. */
  isSlow?: true
}

const head = 'HTTP/1.1 200 OK\r\n'
const timeout = /^No complete response within \d+ ms\.$/
const brokenOff = /^The connection to 127\.0\.0\.1 broke off \((?:ECONNRESET|HPE_INVALID_EOF_STATE)\)\.$/
const invalid = /^The response of 127\.0\.0\.1 is not valid HTTP \(.+\)\.$/
const tooLarge = /^The response headers of 127\.0\.0\.1 are longer than 16 KB\.$/
const badTls = /^The TLS handshake with 127\.0\.0\.1 failed \(.+\)\.$/
const redirected = /^The endpoint answered 30[178]: redirects are not followed\.$/

const says = (text: string) => (socket: Socket) => void socket.write(text)
const redirectsTo = (status: number, location: string) =>
  says(`HTTP/1.1 ${status} Go\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)

/** Writes a chunk at intervals while the connection is open. */
const drips = (everyMs: number, piece: string, first: string) => (socket: Socket) => {
  socket.write(first)
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Writes as fast as it is read, while the connection is open. */
const floods = (piece: string | Uint8Array, first: string) => (socket: Socket) => {
  socket.write(first)
  const more = () => {
    while (socket.writable && socket.write(piece)) {}
  }
  socket.on('drain', more)
  more()
}

const bomb = () => gzipSync(Buffer.alloc(50_000_000))
const certificate = () => selfSigned('127.0.0.1')
const oldTls = () => ({
  ...certificate(),
  minVersion: 'TLSv1' as const,
  maxVersion: 'TLSv1.1' as const,
  ciphers: 'DEFAULT@SECLEVEL=0',
})

const plain = (
  name: string,
  outcome: HostileKind['outcome'],
  script: HostileKind['script'],
  more: Partial<HostileKind> = {},
): HostileKind => ({ name, outcome, script, scheme: 'http', ...more })

const slow = { isSlow: true } as const

export const hostileKinds: readonly HostileKind[] = [
  plain('says nothing', timeout, () => {}, slow),
  plain('sends a header every 300 ms', timeout, drips(300, 'X-A: b\r\n', head), slow),
  plain('sends a byte every 500 ms', 'delivered', drips(500, 'x', `${head}Content-Length: 100000\r\n\r\n`)),
  plain('stops within the body', 'delivered', says(`${head}Content-Length: 10\r\n\r\nhello`)),
  plain(
    'sends a chunk now and then',
    'delivered',
    drips(300, '1\r\nx\r\n', `${head}Transfer-Encoding: chunked\r\n\r\n`),
  ),
  plain('hangs before TLS', timeout, () => {}, { ...slow, scheme: 'https' }),
  // The status counts, and it was received.
  plain('sends a body without end', 'delivered', floods(Buffer.alloc(65_536, 'x'), `${head}\r\n`)),
  plain('sends a body that unpacks to 50 MB', 'delivered', (socket) => {
    const packed = bomb()
    socket.write(`${head}Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
    socket.write(packed)
  }),
  plain(
    'sends chunks with long extensions without end',
    'delivered',
    floods(`1;${'a'.repeat(10_000)}\r\nx\r\n`, `${head}Transfer-Encoding: chunked\r\n\r\n`),
  ),
  plain(
    'sends trailers without end',
    tooLarge,
    floods(`X-A: ${'b'.repeat(1_000)}\r\n`, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n`),
  ),
  plain('sends interim answers without end', invalid, floods('HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n', '')),
  plain('sends 60 kB of headers', tooLarge, says(`${head}X-A: ${'a'.repeat(60_000)}\r\n\r\n`)),
  plain('sends headers without end', tooLarge, floods(`X-A: ${'b'.repeat(1_000)}\r\n`, head)),
  plain('resets', brokenOff, (socket) => void socket.resetAndDestroy()),
  plain('resets within the body', 'delivered', (socket) => {
    socket.write(`${head}Content-Length: 9\r\n\r\nhello`, () => setTimeout(() => socket.resetAndDestroy(), 50))
  }),
  plain('closes before it answers', brokenOff, (socket) => void socket.end()),
  plain('closes within the headers', brokenOff, (socket) => void socket.end(`${head}X-A:`)),
  plain(
    'sends less than it announced',
    'delivered',
    (socket) => void socket.end(`${head}Content-Length: 9\r\n\r\nhello`),
  ),
  plain('announces two lengths', invalid, says(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`)),
  plain('announces a length that is no number', invalid, says(`${head}Content-Length: -1\r\n\r\n`)),
  plain('speaks HTTP/0.9', invalid, says('<html>hello</html>')),
  plain('speaks something else', invalid, says('220 mail.example.com ESMTP\r\n')),
  plain('switches protocols unasked', invalid, says('HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')),
  plain('redirects to itself', redirected, redirectsTo(301, '/')),
  plain(
    'redirects to the metadata of a cloud',
    redirected,
    redirectsTo(307, 'http://169.254.169.254/latest/meta-data/'),
  ),
  plain('redirects to a file', redirected, redirectsTo(308, 'file:///etc/passwd')),
  plain('has signed its own certificate', badTls, () => {}, { scheme: 'https', tls: certificate }),
  plain('speaks TLS 1.1', badTls, () => {}, { scheme: 'https', tls: oldTls }),
  plain('speaks no TLS', badTls, says('HTTP/1.1 400 Bad Request\r\n\r\n'), { scheme: 'https' }),
]

export interface HostileReceiver {
  kind: HostileKind
  url: string
  /** How long each closed connection was open. */
  openMs: number[]
  /** Currently open connections. */
  open: number
  /** Total bytes sent to all clients. */
  sentBytes: number
  stop: () => void
}

/** Listens on a loopback address until it is stopped. */
export async function startHostileReceiver(kind: HostileKind, host = '127.0.0.1'): Promise<HostileReceiver> {
  const sockets = new Set<Socket>()
  const talk = (socket: Socket) => {
    let isAnswered = false
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      // The head of a request, or the first byte of TLS if none is expected; each connection has one.
      if (isAnswered || !(bytes.includes('\r\n\r\n') || bytes[0] === 0x16)) return
      isAnswered = true
      kind.script(socket)
    })
  }
  const server: Server = kind.tls ? createTlsServer(kind.tls(), talk) : createServer(talk)
  const seen = { kind, url: '', openMs: [] as number[], open: 0, sentBytes: 0 }
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => {
    const since = performance.now()
    sockets.add(socket)
    seen.open++
    socket.on('error', () => {})
    socket.on('close', () => {
      seen.open--
      seen.sentBytes += socket.bytesWritten - socket.writableLength
      seen.openMs.push(performance.now() - since)
      sockets.delete(socket)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return Object.assign(seen, { url: `${kind.scheme}://${host}:${(server.address() as AddressInfo).port}/`, stop })
}
