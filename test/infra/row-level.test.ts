/** Row-level permissions: no role may write the whole table, and exposed functions may not read all of it either. */
import { describe, expect, it } from 'vitest'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { externalProviders } from '../../lib/infra/iam/provider-grants.ts'
import { keys, type PartitionName, partitionPatterns } from '../../lib/store/core/keys.ts'
import { type PolicyStatement, rolesByFunction, statementsByRole, synthesizeDeployment } from './synthesized-stacks.ts'

const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'BatchWriteItem', 'PartiQLUpdate']
const readActions = ['GetItem', 'BatchGetItem', 'Query', 'Scan']
const ws = mintId('wsp', '2026-11-23T00:00:00.000Z')

/** A partition of each kind, as the store writes it. */
const partitions: Record<PartitionName, string> = {
  workspace: keys.workspace(ws).pk,
  apiKeys: keys.apiKey('0a').pk,
  videos: keys.video(ws, 'vid_1').pk,
  uploads: keys.upload(ws, 'upl_1').pk,
  webhooks: keys.webhook(ws, 'whk_1').pk,
  deliveries: keys.delivery(ws, 'dlv_1').pk,
  profiles: keys.account(ws, 'prf_1', 'tiktok').pk,
  tokens: keys.tokens(ws, 'acc_1').pk,
  pendingConnections: keys.pendingConnection('0a').pk,
  semaphores: keys.semaphore(ws, 'runs').pk,
  tombstones: keys.tombstone(ws, '2026', 'vid_1').pk,
  ledger: keys.ledger(ws, 'run_1', 'grant').pk,
  outbox: keys.outbox(ws, 'evt_1').pk,
  events: keys.event(ws, 'evt_1').pk,
  tokenBuckets: keys.tokenBucket(ws, 'reads').pk,
  voices: keys.voices('polly').pk,
  searches: keys.search('0a').pk,
  idempotency: keys.idempotency(ws, '0a').pk,
}
const kinds = Object.keys(partitions) as PartitionName[]

const matches = (pattern: string, text: string) =>
  new RegExp(
    `^${pattern.replace(/[*?]|[^*?]+/g, (part) => ({ '*': '.*', '?': '.' })[part] ?? RegExp.escape(part))}$`,
  ).test(text)

it('a pattern matches the partitions of its own kind only', () => {
  for (const [kind, pattern] of Object.entries(partitionPatterns))
    expect(kinds.filter((one) => matches(pattern, partitions[one]))).toEqual([kind])
})

const { stacks } = await synthesizeDeployment({ providers: externalProviders })
const statements = statementsByRole(stacks)
const roles = rolesByFunction(stacks)
const actionsOf = ({ Action }: PolicyStatement) => [Action].flat()
const leadingKeys = ({ Condition = {} }: PolicyStatement) =>
  Object.entries(Condition).flatMap(([operator, keysOf]) =>
    /^ForAllValues:String(Like|Equals)$/.test(operator) ? [keysOf['dynamodb:LeadingKeys'] ?? []].flat(2) : [],
  ) as string[]

/** The kinds of rows on which the role may perform one of the actions. */
function reachOf(role: string, actions: readonly string[]): PartitionName[] {
  const relevant = statements
    .get(role)!
    .filter((statement) => actionsOf(statement).some((action) => actions.includes(action.replace(/^dynamodb:/, ''))))
  return kinds.filter((kind) =>
    relevant.some((statement) => {
      const patterns = leadingKeys(statement)
      return patterns.length === 0 || patterns.some((pattern) => matches(pattern, partitions[kind]))
    }),
  )
}
const roleOf = (file: string) => roles.get(file)!
const container = [...statements.keys()].find((role) => /DefinitionTaskRole/.test(role))!

describe.each([...statements.keys()])('%s', (role) => {
  it('names actions on the table one by one, and writes only rows that a condition names', () => {
    for (const statement of statements.get(role)!) {
      const onTable = actionsOf(statement).filter((action) => action.startsWith('dynamodb:'))
      expect(onTable.filter((action) => action.includes('*'))).toEqual([])
      const writes = onTable.filter((action) => writeActions.includes(action.replace('dynamodb:', '')))
      if (writes.length > 0) expect(leadingKeys(statement), JSON.stringify(statement)).not.toEqual([])
    }
  })
})

it('API keys are written only by the function of their routes', () => {
  const writers = [...roles].flatMap(([file, role]) => (reachOf(role, writeActions).includes('apiKeys') ? [file] : []))
  expect(writers).toEqual(['api-keys'])
  expect(reachOf(roleOf('api-keys'), writeActions)).toEqual(['workspace', 'apiKeys', 'tokenBuckets', 'idempotency'])
})

describe('the container', () => {
  it('writes the rows of jobs, stored responses and cached searches, and reads no others', () => {
    const rows = ['workspace', 'videos', 'ledger', 'outbox', 'searches']
    expect(reachOf(container, writeActions)).toEqual([...rows, 'idempotency'])
    expect(reachOf(container, readActions)).toEqual(rows)
  })
})

describe('functions that strangers reach', () => {
  it('the worker of webhooks reads endpoints and deliveries, and changes no balance', () => {
    const worker = roleOf('workers-deliver-webhook')
    expect(reachOf(worker, readActions)).toEqual(['webhooks', 'deliveries'])
    expect(reachOf(worker, writeActions)).toEqual(['webhooks', 'deliveries', 'outbox', 'tokenBuckets'])
  })

  it('the public callback of connections reads accounts and their workspace, and no API key', () => {
    const callback = roleOf('api-finish-connection')
    expect(reachOf(callback, readActions)).toEqual(['workspace', 'profiles', 'tokens'])
    expect(reachOf(callback, writeActions)).toEqual(['profiles', 'tokens', 'pendingConnections', 'outbox'])
  })

  it('the route that posts to a webhook reads its caller and endpoints, not the list, and writes nothing but its token bucket', () => {
    const role = roleOf('api-test-webhook')
    expect(reachOf(role, readActions)).toEqual(['workspace', 'apiKeys', 'webhooks'])
    expect(reachOf(role, writeActions)).toEqual(['tokenBuckets'])
    expect(JSON.stringify(statements.get(role))).not.toContain('/index/')
  })
})

it('tokens are written only by functions that connect or refresh accounts', () => {
  const writers = [...roles].flatMap(([file, role]) => (reachOf(role, writeActions).includes('tokens') ? [file] : []))
  expect(writers.toSorted()).toEqual([
    'api-finish-connection',
    'api-get-profile',
    'pipelines-publish-take-step',
    'workers-refresh-tokens',
  ])
})
