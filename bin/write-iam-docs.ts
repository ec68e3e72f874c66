/** Writes the generated IAM files as part of `npm run docs`. The functions must be bundled first. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/infra/bundle-paths.ts'
import { generatedIamFiles } from '../lib/infra/iam/generated-files.ts'

for (const [file, text] of Object.entries(generatedIamFiles())) writeFileSync(join(repositoryRoot, file), text)
