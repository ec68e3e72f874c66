/** Runs that are about a browser fail without one, in a sentence; a run of all tests names what it leaves out. */
import { chromiumMissing, chromiumPath } from '../chromium-path.ts'

export default function requireChromium(): void {
  if (chromiumPath) return
  if (process.env.STUDIO || process.env.BROWSER) throw new Error(`These tests need a browser; ${chromiumMissing}`)
  console.warn(`The tests of the studio are skipped; ${chromiumMissing}`)
}
