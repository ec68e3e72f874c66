/**
 * The CDK app: creates the stacks of one deployment. Synthesis fails on AwsSolutions findings that are not
 * acknowledged.
 */
import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { applySettingsFile } from '../lib/infra/settings-file.ts'
import { createStacks } from '../lib/infra/stacks/create-stacks.ts'

const app = new App()
applySettingsFile(app.node)
createStacks(app)
Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
