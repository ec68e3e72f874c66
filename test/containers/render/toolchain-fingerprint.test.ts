/** The tools that draw and encode are part of every key: after an update nothing that was stored before is used. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toolchainFingerprint } from '../../../containers/media/render/toolchain-fingerprint.ts'
import { findFfmpeg, isBundledFfmpeg } from '../../../lib/ffmpeg/binary.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import * as kernel from '../../../lib/motion/kernel-files.ts'
import { fingerprintFrameSize, fingerprintFrames } from '../../../lib/render/encoder-fingerprint.ts'
import { cpuIndependent, encodeFingerprintArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import { newRenderDirectory } from '../../render/compositions.ts'

vi.mock('../../../lib/motion/kernel-files.ts', { spy: true })
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

it('it changes with another architecture of the CPU', async () => {
  const [before, real] = [await tools(), Object.getOwnPropertyDescriptor(process, 'arch')!]
  try {
    Object.defineProperty(process, 'arch', { ...real, value: 'riscv64' })
    expect(await tools()).not.toBe(before)
  } finally {
    Object.defineProperty(process, 'arch', real)
  }
})

/** The H.264 stream of the fingerprint without the version of x264, whose parameters are changed. */
async function specimen(change: (params: string) => string): Promise<string> {
  const { output } = await runFfmpeg({
    directory: newRenderDirectory(),
    timeoutMs: 60_000,
    arguments: encodeFingerprintArguments(fingerprintFrameSize).map((argument) =>
      argument.includes(cpuIndependent) ? change(argument) : argument,
    ),
    input: [fingerprintFrames()],
  })
  return output.toString('latin1').replace(/x264 - core.*?\0/s, '')
}
const withoutVectors = (params: string) => `${params}:asm=0`
const withoutFlag = (params: string) => params.replace(`:${cpuIndependent}`, '')

describe.runIf(process.arch === 'x64')('the frames of the fingerprint', () => {
  it('are encoded differently by CPUs without vector instructions if x264 may use them', async () => {
    expect(await specimen((params) => withoutVectors(withoutFlag(params)))).not.toBe(await specimen(withoutFlag))
  })

  it.skipIf(isBundledFfmpeg(findFfmpeg()))(
    'are encoded the same by all CPUs with the settings of segments',
    async () => {
      expect(await specimen(withoutVectors)).toBe(await specimen((params) => params))
    },
  )
})

it('it changes with another motion kernel', async () => {
  const before = await tools()
  vi.mocked(kernel.readKernel).mockReturnValue(Buffer.from('another'))
  expect(await tools()).not.toBe(before)
})
