/** `upload`, `watch` and `open`. */
import { exitCodes, Failure } from '../failure.js'
import { contract, inputFlags, inputOf } from '../operations.js'
import { createApiClient } from '../requests.js'
import { uploadFile } from '../upload.js'
import { downloadFile, waitForJobs } from '../video-jobs.js'

/** @import { CreateUploadRequest, Video } from '../client/index.js' */
/** @import { Command, Context, Flag, Io } from '../types.js' */

/** Those of `uploads create` that the file does not say itself. */
const uploadFields = contract.operations
  .filter(({ id }) => id === 'createUpload')
  .flatMap(inputFlags)
  .filter(({ name }) => !['file-name', 'content-type', 'bytes'].includes(name))

/** @type {Flag[]} */
const waitFlags = [
  { name: 'timeout', kind: 'number', placeholder: 'SECONDS', description: 'How long to wait. Default: 1800.' },
  { name: 'download', kind: 'string', placeholder: 'FILE', description: 'Then save the mp4 to this file.' },
]

/** @type {Command[]} */
export const videoCommands = [
  {
    name: 'upload',
    summary: 'Upload a file, and make a video of it',
    details: [
      'MP4, QuickTime or WebM. The video is transcribed, captioned and, with --process.render or --download, rendered.',
    ],
    examples: [
      'upload harbour.mp4 --title Harbour --process.render --wait',
      'upload harbour.mp4 --download captioned.mp4',
    ],
    positionals: [{ name: 'FILE' }],
    flags: [
      ...uploadFields,
      { name: 'wait', kind: 'boolean', description: 'Wait until the jobs of the video have ended.' },
      ...waitFlags,
    ],
    run: async (context) => {
      const { io, args, print } = context
      const { wait, timeout, download } = /** @type {WaitFlags} */ (args.values)
      const given = download === undefined ? {} : { 'process.render': true }
      const fields = /** @type {Partial<CreateUploadRequest> | undefined} */ (
        inputOf(uploadFields, { ...args.values, ...given }, undefined)
      )
      const client = createApiClient(context)
      const id = await uploadFile(client, args.positionals[0] ?? '', fields ?? {}, { ...io, timeoutSeconds: timeout })
      if (wait || download !== undefined) {
        const isRendered = fields?.process?.render === true
        const video = await waitForJobs(client, id, { io, isRendered, timeoutSeconds: timeout })
        return await finish(video, download, context)
      }
      print.result(await client.videos.get(id, {}, { signal: io.signal }))
    },
  },
  {
    name: 'watch',
    summary: 'Follow the jobs of a video until they have ended, and print the video',
    details: ['Shows the progress on a terminal. Exit code 5 if a job failed.'],
    examples: ['watch vid_01kbexample', 'watch vid_01kbexample --download film.mp4'],
    positionals: [{ name: 'VIDEO_ID' }],
    flags: waitFlags,
    run: async (context) => {
      const { io, args } = context
      const { timeout, download } = /** @type {WaitFlags} */ (args.values)
      const client = createApiClient(context)
      const video = await waitForJobs(client, args.positionals[0] ?? '', { io, timeoutSeconds: timeout })
      await finish(video, download, context)
    },
  },
  {
    name: 'open',
    summary: 'Open the render of a video, or the documents, in the browser',
    details: ['Without an id: the documents. Where no browser can be started, only the URL is printed.'],
    examples: ['open vid_01kbexample', 'open'],
    positionals: [{ name: 'VIDEO_ID', isOptional: true }],
    flags: [],
    run: async (context) => {
      const { io, args, print } = context
      const [id] = args.positionals
      const url = id === undefined ? await documentsUrl(context) : await renderUrl(id, context)
      print.result({ url, opened: await openUrl(url, io) })
    },
  },
]

/** @typedef {{ wait?: boolean, timeout?: number, download?: string }} WaitFlags */

/** Saves the render where that was requested, and prints the video. @param {Video} video @param {string | undefined} file @param {Context} context */
export async function finish(video, file, { io, print }) {
  if (file !== undefined) {
    await downloadFile(renderUrlOf(video), file, io)
    print.note(`Saved ${file}`)
  }
  print.result(video)
}

/** @param {Video} video */
function renderUrlOf({ id, status, media }) {
  if (media.renderUrl) return media.renderUrl
  const message = `Video ${id} has no render; its status is ${status}. Render it: reelsmith videos render ${id} --wait`
  throw new Failure('no-render', exitCodes.refused, message)
}

/** @param {string} id @param {Context} context */
const renderUrl = async (id, context) =>
  renderUrlOf(await createApiClient(context).videos.get(id, {}, { signal: context.io.signal }))

/** Those of the service, which the local run has. @param {Context} context */
async function documentsUrl({ io, connect }) {
  const url = new URL('/docs/', connect().baseUrl).href
  const response = await io.fetch(url, { method: 'HEAD', signal: io.signal }).catch(() => undefined)
  return response?.ok ? url : 'https://reelsmith.dev'
}

/** Resolves to whether a browser was started. @param {string} url @param {Io} io */
async function openUrl(url, { platform, env, launch }) {
  if (!/^https?:\/\//.test(url)) return false
  if (platform === 'darwin') return launch('open', [url])
  if (platform === 'win32') return launch('rundll32', ['url.dll,FileProtocolHandler', url])
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && launch('xdg-open', [url])
}
