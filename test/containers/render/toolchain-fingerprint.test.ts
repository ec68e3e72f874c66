/** The tools that draw and encode are part of every key: after an update nothing that was stored before is used. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { toolchainFingerprint } from '../../../containers/media/render/toolchain-fingerprint.ts'
import { findFfmpeg } from '../../../lib/ffmpeg/binary.ts'
import * as kernel from '../../../lib/motion/kernel.ts'
import { newRenderDirectory } from '../../render/compositions.ts'

vi.mock('../../../lib/motion/kernel.ts', { spy: true })
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const tools = () =>
  toolchainFingerprint({ directory: newRenderDirectory(), timeoutMs: 60_000, signal: new AbortController().signal })

/** A fake ffmpeg: a line of shell script handles its arguments and its output; `$ffmpeg` is the real one. */
function otherFfmpeg(line: string): void {
  const script = join(newRenderDirectory(), 'ffmpeg')
  writeFileSync(script, `#!/bin/sh\nffmpeg='${findFfmpeg()}'\n${line}\n`, { mode: 0o755 })
  vi.stubEnv('FFMPEG', script)
}

it('the fingerprint is the same from one render to the next', async () => {
  expect(await tools()).toBe(await tools())
})

it.each([
  ['of ffmpeg', 'case " $* " in *" -version "*) echo ffmpeg 99;; *) exec "$ffmpeg" "$@";; esac'],
  ['of x264, which is a package of its own', '"$ffmpeg" "$@" | LC_ALL=C sed "s/x264 - core [0-9]*/x264 - core 999/"'],
])('it changes with another build %s', async (_, line) => {
  const before = await tools()
  otherFfmpeg(line)
  expect(await tools()).not.toBe(before)
})

it('it changes with another motion kernel', async () => {
  const before = await tools()
  vi.mocked(kernel.readKernel).mockReturnValue(Buffer.from('another'))
  expect(await tools()).not.toBe(before)
})
