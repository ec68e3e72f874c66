/** What ffmpeg encodes is the same bytes on machines with few and with many processors. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runCanary } from '../../../containers/media/render/canary.ts'
import { findFfmpeg, findOnPath } from '../../../lib/ffmpeg/binary.ts'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { encodeClipArguments } from '../../../lib/providers/footage/built-in.ts'
import { transcodeSourceArguments } from '../../../lib/render/source-arguments.ts'
import { newRenderDirectory } from '../../render/compositions.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** ffmpeg counts the processors that it may use: from now on one. */
function onOneProcessor(): void {
  const script = join(newRenderDirectory(), 'ffmpeg')
  writeFileSync(script, `#!/bin/sh\nexec taskset -c 0 '${findFfmpeg()}' "$@"\n`, { mode: 0o755 })
  vi.stubEnv('FFMPEG', script)
}

const context = () => ({ directory: newRenderDirectory(), signal: new AbortController().signal, timeoutMs: 60_000 })

async function transcodeSource(): Promise<string> {
  const { directory, ...limits } = context()
  const moving = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=2']
  const source = join(directory, 'source.mp4')
  await runFfmpeg({ ...limits, directory, arguments: [...moving, ...encodeClipArguments(source)] })
  const output = join(directory, 'copy.mp4')
  const input = restrictedInput(source, 'mov')
  const copied = transcodeSourceArguments(input, { seconds: 2, colours: 'bt601' }, output)
  await runFfmpeg({ ...limits, directory, arguments: copied })
  return createHash('sha256').update(readFileSync(output)).digest('hex')
}

describe.runIf(findOnPath('taskset'))('on one processor and on all', () => {
  it.each([
    ['a render and its thumbnail are', () => runCanary(context(), { runId: 'run_1' })],
    ['the copy of a source file is', transcodeSource],
  ])('%s the same bytes', async (_, encode) => {
    const onAll = await encode()
    onOneProcessor()
    expect(await encode()).toEqual(onAll)
  })
})
