/** One command for each operation of the API. */
import { readFile } from 'node:fs/promises'
import { kebab, parseJson } from '../arguments.js'
import { usageFailure } from '../failure.js'
import { commandName, exampleWords, inputFlags, inputOf, placeholder, shellText } from '../operations.js'
import { createApiClient, readAll } from '../requests.js'
import { downloadFile, waitForJobs } from '../video-jobs.js'

/** @import { Command, Context, Flag, Io, Operation } from '../types.js' */

/** @param {Operation} operation @returns {Command} */
export function operationCommand(operation) {
  const { summary, description, method, path, parameters } = operation
  const fields = inputFlags(operation)
  const example = shellText(exampleWords(operation))
  const isDownload = operation.id === 'downloadVideo'
  return {
    name: commandName(operation),
    summary,
    isOperation: true,
    details: [...(description ? [description] : []), `${method} ${path}`],
    examples: [example, ...(operation.id === 'createVideo' ? [`${example} --download film.mp4`] : [])],
    positionals: parameters.map(({ name }) => ({ name: placeholder(operation, name) })),
    flags: [...fields, ...callFlags(operation)],
    run: async (context) => {
      const { io, args, print } = context
      const { values, positionals } = args
      const input = await requestInput(operation, fields, context)
      const client = createApiClient(context)
      const options = {
        signal: io.signal,
        ...(values['idempotency-key'] !== undefined && { idempotencyKey: values['idempotency-key'] }),
        ...(values.quote !== undefined && { quote: values.quote }),
        ...(values['wait-seconds'] !== undefined && { waitSeconds: values['wait-seconds'] }),
      }
      const call = /** @type {any} */ (client)[operation.group][operation.verb]
      const words = [...positionals, ...(operation.input ? [input] : []), options]
      if (values.all) {
        for await (const record of call(...words)) print.line(record)
        return
      }
      let result = await call(...words)
      const file = /** @type {string | undefined} */ (values.download)
      if (values.wait || (file !== undefined && !isDownload)) {
        const timeoutSeconds = /** @type {number | undefined} */ (values.timeout)
        const isRendered = requestsRender(operation, input)
        result = await waitForJobs(client, result.id ?? result.videoId, { io, isRendered, timeoutSeconds })
      }
      if (file !== undefined) {
        await downloadFile(result.url ?? result.media.renderUrl, file, io)
        print.note(`Saved ${file}`)
      }
      print.result(result)
    },
  }
}

/** Whether the operation starts jobs on the video that it returns. @param {Operation} operation */
const startsJobs = ({ method, returns, id }) =>
  method === 'POST' && (returns.$ref === '#/$defs/Video' || id === 'publishVideo')

/** The operations whose render a download can wait for, and the field that requests it; none where it is the operation. */
const renderFields = /** @type {Record<string, string[]>} */ ({
  createVideo: ['process', 'render'],
  createClip: ['render'],
  processVideo: ['render'],
  renderVideo: [],
})

/** @param {Operation} operation @param {unknown} input */
function requestsRender({ id }, input) {
  const path = renderFields[id]
  return (
    path !== undefined &&
    (path.length === 0 || path.reduce((at, key) => /** @type {any} */ (at)?.[key], input) === true)
  )
}

/** The flags of a call besides the fields of its input. @param {Operation} operation @returns {Flag[]} */
function callFlags(operation) {
  const { input, isPaged, isIdempotent, isQuoted, waits, id } = operation
  const json = 'The body as JSON: the text itself, @FILE, or - for stdin. Other flags replace its fields.'
  /** @type {(Flag | false)[]} */
  const flags = [
    input?.kind === 'body' && { name: 'json', kind: 'string', placeholder: 'JSON', description: json },
    isPaged && { name: 'all', kind: 'boolean', description: 'All records of all pages, one JSON text a line.' },
    isIdempotent && {
      name: 'idempotency-key',
      kind: 'string',
      placeholder: 'KEY',
      description: 'A repeat with the same key gets the first response. Default: a new key.',
    },
    isQuoted && {
      name: 'quote',
      kind: 'string',
      placeholder: 'QUOTE_ID',
      description: 'The id of a quote, which fixes the price.',
    },
    waits && {
      name: 'wait-seconds',
      kind: 'number',
      description: 'How long the service waits for the result before it responds, 0 to 25.',
    },
    startsJobs(operation) && {
      name: 'wait',
      kind: 'boolean',
      description: 'Wait until the jobs of the video have ended. Exit code 5 if one failed.',
    },
    startsJobs(operation) && {
      name: 'timeout',
      kind: 'number',
      placeholder: 'SECONDS',
      description: 'How long --wait waits. Default: 1800.',
    },
    (id === 'downloadVideo' || id in renderFields) && {
      name: 'download',
      kind: 'string',
      placeholder: 'FILE',
      description: `Save the mp4 to this file.${id === 'downloadVideo' ? '' : ' Requests a render, and waits for it.'}`,
    },
  ]
  return flags.filter((flag) => flag !== false)
}

/** @param {Operation} operation @param {Flag[]} fields @param {Context} context @returns {Promise<any>} */
async function requestInput(operation, fields, { args, io }) {
  const { json, download } = /** @type {{ json?: string, download?: string }} */ (args.values)
  const base = json === undefined ? undefined : parseJson(await jsonText(json, io), '--json')
  if (Array.isArray(base) && fields.some(({ name }) => name in args.values))
    throw usageFailure('--json is a list: it has no fields that other flags could replace.')
  const input = inputOf(fields, args.values, base)
  const path = download === undefined ? [] : (renderFields[operation.id] ?? [])
  if (path.length === 0) return input ?? (operation.input?.isRequired ? {} : undefined)
  const flag = fields.find((field) => field.path?.join('.') === path.join('.'))
  if (flag && args.values[flag.name] === false) throw usageFailure(`--no-${flag.name} leaves nothing to download.`)
  return inputOf(flag ? [flag] : [], { [path.map(kebab).join('.')]: true }, input)
}

/** @param {string} json @param {Io} io */
async function jsonText(json, { stdin }) {
  if (json === '-' || json === '@-') return (await readAll(stdin)).toString('utf8')
  if (!json.startsWith('@')) return json
  try {
    return await readFile(json.slice(1), 'utf8')
  } catch (error) {
    throw usageFailure(`--json: ${json.slice(1)} cannot be read: ${/** @type {Error} */ (error).message}`)
  }
}
