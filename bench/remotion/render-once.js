/** One render with Remotion in a separate process. The argument is a file with {film, bundle, output, browser, options}. */
import { readFileSync } from 'node:fs'
import { renderMedia, selectComposition } from '@remotion/renderer'

const { film, bundle, output, browser, options } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const common = {
  serveUrl: bundle,
  inputProps: { film },
  browserExecutable: browser,
  chromeMode: 'headless-shell',
  chromiumOptions: { enableMultiProcessOnLinux: true },
  logLevel: 'error',
}
const composition = await selectComposition({ ...common, id: 'film' })
await renderMedia({ ...common, composition, codec: 'h264', outputLocation: output, ...options })
