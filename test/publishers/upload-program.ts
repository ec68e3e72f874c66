/** Uploads 100 MB to the address that it is given, and prints the most memory that it ever had, in KB. */
import { createReadStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platformHttp } from '../../lib/publishers/http.ts'

const bytes = 100_000_000
const directory = mkdtempSync(join(tmpdir(), 'upload-'))
const film = join(directory, 'film.mp4')
try {
  writeFileSync(film, '')
  truncateSync(film, bytes)
  const http = platformHttp({ allowHttp: true, allowLoopback: true })
  await http({ method: 'PUT', url: process.argv[2]!, body: { bytes, read: () => createReadStream(film) } })
  process.stdout.write(String(process.resourceUsage().maxRSS))
} finally {
  rmSync(directory, { recursive: true })
}
