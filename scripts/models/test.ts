/**
 * `npm run test:models`: the loaders of local models, with the real npm packages, on tiny stand-ins of the models. Fails
 * with the command that installs the packages where they are missing: they are no dependencies of the project.
 */
import { spawn } from 'node:child_process'
import { missingPackages, modelsDirectory } from '../../local/models/folder.ts'
import { models } from '../../local/models/manifest.ts'

const directory = modelsDirectory(process.env)
const missing = models.flatMap((model) => missingPackages(directory, model))
if (missing.length > 0) {
  console.error(`Nothing was tested, because ${missing.join(', ')} are missing: run npm run models -- --packages`)
  process.exitCode = 1
} else {
  const arguments_ = ['run', '--config', 'test/models/vitest.config.ts', ...process.argv.slice(2)]
  const vitest = spawn('vitest', arguments_, { stdio: 'inherit', env: { ...process.env, MODELS_DIR: directory } })
  vitest.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
