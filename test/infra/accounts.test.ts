/**
 * Which rows the functions that call platforms may change: of pending connections, of accounts and their tokens, and no
 * other.
 */
import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keys } from '../../lib/store/core/keys.ts'
import { resourcesOf, synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()

interface Statement {
  Action: string | string[]
  Resource: unknown
  Condition?: Record<string, Record<string, string[]>>
}

const policies = Object.values(stacks)
  .flatMap((stack) => resourcesOf(stack, 'AWS::IAM::Policy'))
  .map(([id, { Properties }]): [string, Statement[]] => [id.replace(/Role.*/, ''), Properties.PolicyDocument.Statement])
const statementsOf = (who: string) => policies.find(([name]) => name === who)![1]

/** The decision of IAM for a request that names this partition. */
function allows({ Action, Condition }: Statement, action: string, partition: string): boolean {
  const leading = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']
  const isHere = !leading || [leading].flat().some((pattern) => matchesGlob(partition, pattern))
  return [Action].flat().includes(`dynamodb:${action}`) && isHere
}
const may = (who: string, action: string, partition: string) =>
  statementsOf(who).some((statement) => allows(statement, action, partition))

const onItsWay = keys.pendingConnection('hash').pk
const profiles = keys.profile('wsp_1', 'prf_1').pk
const tokens = keys.tokens('wsp_1', 'acc_1').pk
const workspace = keys.workspace('wsp_1').pk
const video = keys.video('wsp_1', 'vid_1').pk
const outbox = keys.outbox('wsp_1', '').pk
const changes = ['PutItem', 'UpdateItem', 'DeleteItem']
const mayDo = (who: string, partition: string) => changes.filter((action) => may(who, action, partition))

describe('the role that connects accounts', () => {
  it('writes the pending connection of a user at the redirect, and nothing else', () => {
    expect(mayDo('beginConnection', onItsWay)).toEqual(['PutItem'])
    for (const other of [profiles, tokens, workspace]) expect(mayDo('beginConnection', other)).toEqual([])
  })

  it('reads the pending connection at the callback, and stores the account with its tokens', () => {
    // A user who has to choose between several accounts returns once more.
    expect(mayDo('finishConnection', onItsWay)).toEqual(['PutItem', 'DeleteItem'])
    for (const kept of [profiles, tokens]) expect(mayDo('finishConnection', kept)).toEqual(changes)
    expect(mayDo('finishConnection', workspace)).toEqual([])
  })

  it('stores the account, its tokens and its event in one transaction, which one statement allows', () => {
    const together = statementsOf('finishConnection').filter((statement) =>
      [profiles, tokens, outbox].every((partition) => changes.every((action) => allows(statement, action, partition))),
    )
    expect(together).toHaveLength(1)
  })

  it('wakes the automations that publish to it', () => {
    expect(mayDo('finishConnection', outbox)).toContain('PutItem')
    for (const other of ['beginConnection', 'getProfile']) expect(mayDo(other, outbox)).toEqual([])
  })
})

describe('the role that looks up accounts', () => {
  it('changes accounts and tokens, and has no access to pending connections', () => {
    for (const kept of [profiles, tokens]) expect(mayDo('getProfile', kept)).toEqual(changes)
    for (const other of [onItsWay, workspace]) expect(mayDo('getProfile', other)).toEqual([])
    expect(mayDo('reads', profiles)).toEqual([])
  })
})

describe('the role that refreshes tokens', () => {
  it('changes only accounts and tokens, and reads the due index', () => {
    const [renewer] = policies.find(([name]) => /^RenewTokens/.test(name))!
    for (const kept of [profiles, tokens]) expect(mayDo(renewer, kept)).toEqual(changes)
    for (const other of [onItsWay, workspace, video]) expect(mayDo(renewer, other)).toEqual([])
    expect(statementsOf(renewer).some(({ Resource }) => JSON.stringify(Resource).includes('/index/due'))).toBe(true)
  })
})

describe('the role that posts', () => {
  it('stores its progress, accounts and tokens', () => {
    const poster = policies.find(([name]) => /TakeStep$/i.test(name))![0]
    expect(mayDo(poster, video)).toEqual(['PutItem', 'UpdateItem'])
    for (const kept of [profiles, tokens]) expect(mayDo(poster, kept)).toEqual(changes)
    for (const other of [onItsWay, workspace]) expect(mayDo(poster, other)).toEqual([])
  })
})
