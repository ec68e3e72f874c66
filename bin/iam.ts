/** Writes docs/iam.md, as part of `npm run docs`. The functions have to be bundled: their code is not read, but has to be there. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import cdk from '../cdk.json' with { type: 'json' }
import { root } from '../lib/infra/function-files.ts'
import { iamPage } from '../lib/infra/iam-page.ts'
import { reelsmith } from '../lib/infra/reelsmith.ts'

const context = { ...cdk.context, stage: 'test', 'aws:cdk:disable-asset-staging': true }
const app = new App({ context, builtinCloudFormationValidation: false })
writeFileSync(join(root, 'docs/iam.md'), iamPage(reelsmith(app)))
