/** The Chromium of the system: tests download no browser. */
import { findOnPath } from '../../lib/ffmpeg/binary.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
export const chromiumPath = names.map((name) => findOnPath(name)).find((found) => found)
/** What to do without one. */
export const chromiumMissing = 'no Chromium on PATH: apt-get install chromium'
