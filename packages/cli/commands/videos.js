/** `watch` and `open`. */
import { exitCodes, Failure } from '../failure.js'
import { createApiClient } from '../requests.js'
import { downloadFile, waitForJobs } from '../video-jobs.js'

/** @import { Command, Io } from '../types.js' */

/** @type {Command[]} */
export const videoCommands = [
  {
    name: 'watch',
    summary: 'Follow the jobs of a video until they have ended, and print the video',
    details: ['Shows the progress on a terminal. Exit code 5 if a job failed.'],
    examples: ['watch vid_01kbexample', 'watch vid_01kbexample --download film.mp4'],
    positionals: [{ name: 'VIDEO_ID' }],
    flags: [
      { name: 'timeout', kind: 'number', placeholder: 'SECONDS', description: 'Default: 1800.' },
      { name: 'download', kind: 'string', placeholder: 'FILE', description: 'Then save the mp4 to this file.' },
    ],
    run: async (context) => {
      const { io, args, print } = context
      const { timeout, download } = /** @type {{ timeout?: number, download?: string }} */ (args.values)
      const client = createApiClient(context)
      const video = await waitForJobs(client, args.positionals[0] ?? '', { io, timeoutSeconds: timeout })
      if (download !== undefined) {
        await downloadFile(renderUrlOf(video), download, io)
        print.note(`Saved ${download}`)
      }
      print.result(video)
    },
  },
  {
    name: 'open',
    summary: 'Open the render of a video in the browser',
    details: ['Where no browser can be started, only the URL is printed.'],
    examples: ['open vid_01kbexample'],
    positionals: [{ name: 'VIDEO_ID' }],
    flags: [],
    run: async (context) => {
      const { io, args, print } = context
      const video = await createApiClient(context).videos.get(args.positionals[0] ?? '', {}, { signal: io.signal })
      const url = renderUrlOf(video)
      print.result({ url, opened: await openUrl(url, io) })
    },
  },
]

/** @param {import('../client/index.js').Video} video */
function renderUrlOf({ id, status, media }) {
  if (media.renderUrl) return media.renderUrl
  const message = `Video ${id} has no render; its status is ${status}. Render it: reelsmith videos render ${id} --wait`
  throw new Failure('no-render', exitCodes.refused, message)
}

/** Resolves to whether a browser was started. @param {string} url @param {Io} io */
async function openUrl(url, { platform, env, launch }) {
  if (!/^https?:\/\//.test(url)) return false
  if (platform === 'darwin') return launch('open', [url])
  if (platform === 'win32') return launch('rundll32', ['url.dll,FileProtocolHandler', url])
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && launch('xdg-open', [url])
}
