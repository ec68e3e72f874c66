/** Routes: the workspace, and the voices and platforms that a brief or a publication can name. */

import { listOf } from '../../domain/core/bounded.ts'
import { platforms } from '../../domain/core/platform.ts'
import { voicesMax } from '../../domain/videos/voices.ts'
import { listLedgerQuery, listVoicesQuery } from '../requests/workspace.ts'
import { account, platform, voice } from '../resources/index.ts'
import { ledgerEntry } from '../resources/ledger.ts'
import { route } from '../route.ts'
import { pageLimitMax } from '../schemas.ts'

export const getAccount = route({
  signature: 'GET /',
  handler: 'account/get',
  summary: 'Get plan, credits and limits of the workspace',
  description: 'The cheapest call to verify an API key.',
  returns: account,
})

export const listLedger = route({
  signature: 'GET /ledger',
  handler: 'account/ledger',
  summary: 'List what a month of work cost, newest first',
  description:
    'Accepted work reserves its credits; when it ends, they are captured, or released. An entry belongs to the month in which its run was accepted. ' +
    'The plan grants credits with the first work of a month, the operator at any time. Entries never change. A month lists its newest 10,000 entries.',
  query: listLedgerQuery,
  parameters: { month: { description: 'A month (UTC) such as `2026-11`. Default: the current one.' } },
  paged: true,
  returns: listOf(ledgerEntry, pageLimitMax),
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
  returns: listOf(voice, voicesMax),
  permissions: ['voices', 'previews'],
})

export const listPlatforms = route({
  signature: 'GET /platforms',
  handler: 'platforms/list',
  tag: 'publishing',
  summary: 'List the social platforms',
  description: 'The ids that `platforms` of a publication and of an automation take.',
  returns: listOf(platform, platforms.length),
})
