import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { bundle } from '../../bin/bundle.ts'
import { functionsFolder, repositoryRoot, voicesLayerFolder } from '../../lib/infra/bundle-paths.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

/** Outside of the repository, where no node_modules can be found by chance. */
const elsewhere = temporaryDirectoryOfFile()
const functions = await bundle(elsewhere)

describe('the bundle', () => {
  // Cold starts of routes delay a client. The dispatcher and the sweeper run in the background.
  const limits = functions.map(({ name, bytes }) => ({ name, bytes, kilobytes: name.startsWith('api-') ? 525 : 625 }))
  it.each(limits)('$name starts from less than $kilobytes KB', ({ bytes, kilobytes }) => {
    expect(bytes).toBeLessThan(kilobytes * 1_000)
  })

  it.each(functions)('$name contains nothing that only the container needs', ({ contains }) => {
    const foreign =
      /^(@resvg|lib\/(ffmpeg|motion|providers\/(images|footage))\/|containers\/)|@expo-google-fonts|aws-cdk/
    expect(contains.filter((part) => foreign.test(part))).toEqual([])
  })

  it('loads in every function without installed packages', () => {
    const names = functions.map(({ name }) => name)
    const script = `
      const loaded = {}
      for (const name of ${JSON.stringify(names)})
        loaded[name] = await import('./' + name + '.mjs').then(({ handler }) => typeof handler, String)
      process.stdout.write(JSON.stringify(loaded))`
    const loaded = JSON.parse(run(['--input-type=module', '--eval', script]))
    expect(loaded).toEqual(Object.fromEntries(names.map((name) => [name, 'function'])))
  })

  it.each(['en-clara', 'de-greta'])('uses %s from the layer', async (voiceId) => {
    const contents = `
      import { builtInNarrator } from './lib/providers/narrator/built-in.ts'
      import { builtInVoices, findVoice } from './lib/domain/videos/voices.ts'
      const { words, durationMs } = await builtInNarrator.narrate('One two three.', findVoice(builtInVoices, '${voiceId}'))
      process.stdout.write(JSON.stringify({ words: words.length, longEnough: durationMs > 500 }))`
    const options = { bundle: true, platform: 'node', format: 'esm', write: false } as const
    const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: repositoryRoot } })
    writeFileSync(join(functionsFolder(elsewhere), 'speak.mjs'), outputFiles[0]!.contents)
    expect(JSON.parse(run(['speak.mjs']))).toEqual({ words: 3, longEnough: true })
  })
})

/** As Lambda does: nothing but the bundle, and NODE_PATH on the layer. */
function run(args: string[]): string {
  return execFileSync(process.execPath, args, {
    cwd: functionsFolder(elsewhere),
    env: { NODE_PATH: join(voicesLayerFolder(elsewhere), 'nodejs/node_modules') },
    encoding: 'utf8',
  })
}
