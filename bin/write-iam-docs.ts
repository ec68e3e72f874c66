/** Writes what roles may do, as part of `npm run docs`. The functions have to be bundled before. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/infra/bundle-paths.ts'
import { iamFiles } from '../lib/infra/iam/generated-files.ts'

for (const [file, text] of Object.entries(iamFiles())) writeFileSync(join(root, file), text)
