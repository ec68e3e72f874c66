import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFfmpeg, findOnPath } from '../../lib/ffmpeg/binary.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()
const program = join(directory, 'ffmpeg')
writeFileSync(program, '#!/bin/sh\n')
chmodSync(program, 0o755)

describe('the ffmpeg that is used', () => {
  it('is the one in FFMPEG, even if others exist', () => {
    expect(findFfmpeg({ FFMPEG: process.execPath, PATH: '/usr/bin' })).toBe(process.execPath)
  })

  it('is refused by name if FFMPEG names no program that runs', () => {
    expect(() => findFfmpeg({ FFMPEG: '/opt/nothing', PATH: '/usr/bin' })).toThrow('FFMPEG is set to /opt/nothing')
  })
  it('is otherwise the first on PATH', () => {
    expect(findFfmpeg({ PATH: `/nowhere:${directory}` })).toBe(program)
  })
  it.runIf(process.platform === 'linux' && process.arch === 'x64')('is otherwise the one that npm installed', () => {
    expect(findFfmpeg({ PATH: '/nowhere' })).toContain('@ffmpeg-installer')
  })
  it('must be executable', () => {
    writeFileSync(join(directory, 'notes'), '')
    expect(findOnPath('notes', { PATH: directory })).toBeUndefined()
  })
})
