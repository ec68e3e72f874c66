/** Routes: the workspace, and the voices and platforms that a brief or a publication can name. */
import * as v from 'valibot'
import { listVoicesQuery } from '../requests/workspace.ts'
import { account, platform, voice } from '../resources/index.ts'
import { route } from '../route.ts'

export const getAccount = route({
  signature: 'GET /',
  handler: 'account/get',
  summary: 'Get plan, credits and limits of the workspace',
  description: 'The cheapest call to verify an API key.',
  returns: account,
})

export const listVoices = route({
  signature: 'GET /voices',
  handler: 'voices/list',
  tag: 'publishing',
  summary: 'List the voices that a brief can name',
  description: 'The voices depend on the narrators of the deployment.',
  query: listVoicesQuery,
  parameters: {
    provider: { description: 'Only voices of this provider. An unknown provider selects nothing.' },
    language: { description: 'Only voices of this language (two-letter code). An unknown language selects nothing.' },
  },
  returns: v.array(voice),
  permissions: ['voices', 'previews'],
})

export const listPlatforms = route({
  signature: 'GET /platforms',
  handler: 'platforms/list',
  tag: 'publishing',
  summary: 'List the social platforms',
  description: 'The ids that `platforms` of a publication and of an automation take.',
  returns: v.array(platform),
})
