/** Reads the Dockerfile of the render container without Docker, for tests and for `npm run check:container`. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { IgnoreStrategy } from 'aws-cdk-lib'
import { repositoryRoot } from '../../lib/infra/bundle-paths.ts'

export const dockerfile = 'containers/media/Dockerfile'

interface Instruction {
  /** Upper case. */
  name: string
  text: string
}

/** Joins lines that end with a backslash. */
export function instructionsOf(text: string): Instruction[] {
  const lines = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n/g, ' ')
  return Array.from(lines.matchAll(/^([A-Za-z]+)\s+(.*)$/gm), ([, name = '', rest = '']) => ({
    name: name.toUpperCase(),
    text: rest.replace(/\s+/g, ' ').trim(),
  }))
}

export const readInstructions = () => instructionsOf(readFileSync(join(repositoryRoot, dockerfile), 'utf8'))

/** The files of the repository that the image contains, under the same paths. */
export function filesInImage(instructions = readInstructions()): string[] {
  const ignored = IgnoreStrategy.docker(
    repositoryRoot,
    readFileSync(join(repositoryRoot, '.dockerignore'), 'utf8').split('\n'),
  )
  const sources = instructions.flatMap(({ name, text }) =>
    name === 'COPY' && !text.startsWith('--') ? text.split(' ').slice(0, -1) : [],
  )
  const files = [...new Set(sources)].flatMap((source) =>
    statSync(join(repositoryRoot, source)).isFile()
      ? [source]
      : globSync(`${source}/**/*`, { cwd: repositoryRoot, exclude: ['**/node_modules'] }),
  )
  return files
    .filter((file) => statSync(join(repositoryRoot, file)).isFile() && !ignored.ignores(join(repositoryRoot, file)))
    .toSorted()
}

/** The installed packages that the image deletes, as globs under node_modules. */
export const removedPackages = (instructions = readInstructions()): string[] =>
  instructions.flatMap(({ name, text }) => {
    const [, removed] = name === 'RUN' ? (/cd node_modules && rm -rf (.+)$/.exec(text) ?? []) : []
    return removed?.split(' ') ?? []
  })

/** The arguments of chmod for the files of the repository in the image. */
export function modeArguments(instructions = readInstructions()): string[] {
  const [mode] = instructions.flatMap(({ name, text }) =>
    name === 'RUN' ? (/^chmod (.+)$/.exec(text)?.[1] ?? []) : [],
  )
  if (!mode) throw new Error(`${dockerfile} sets no mode of the files that it copies.`)
  return mode.split(' ')
}

/** The arguments of npm in the image. */
export function installArguments(instructions = readInstructions()): string[] {
  const [, line] = instructions.flatMap(({ text }) => /npm (ci [^&]+)/.exec(text) ?? [])
  if (!line) throw new Error(`${dockerfile} installs nothing.`)
  return line.trim().split(' ')
}
