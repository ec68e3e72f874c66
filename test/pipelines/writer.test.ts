/** A deployment whose writer is Bedrock: the requests, their number, and how failures reach a client. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountResource, VideoResource } from '../../lib/contract/resources/index.ts'
import { startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import { converse, errorFault, toolUseResponse } from '../support/fake-vendors/converse.ts'
import type { FakeVendor, VendorFault } from '../support/fake-vendors/fake-vendor.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import {
  callApiOf,
  runAdmin,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
  waitForVideo,
} from './service-process.ts'

const { directory, remove } = temporaryDataDirectory()
let bedrock: FakeVendor
let service: ServiceProcess

beforeAll(async () => {
  bedrock = await startFakeBedrock(converse(fakeNova))
  service = await startServiceProcess(directory, {
    PROVIDERS: '{"writer":"bedrock"}',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
    TIME_SCALE: '100',
  })
  // On a plan with a balance, so that released credits are visible.
  const { workspaceId } = service.runtime
  await runAdmin(directory, 'workspace', 'set-plan', '--workspace', workspaceId, '--plan', 'starter')
})
afterAll(async () => {
  await service.stop()
  await bedrock.stop()
  remove()
})
beforeEach(() => {
  bedrock.calls.length = 0
  Object.assign(bedrock, { faults: [], fault: null })
})

const send = <Data = VideoResource>(method: string, path: string, body?: unknown) =>
  callApiOf<Data>(service.runtime, method, path, body)
const credits = async () => (await send<AccountResource>('GET', '/')).credits
const create = () =>
  send('POST', '/videos', {
    prompt: 'How to sleep better',
    targetDuration: 8,
    aspectRatio: '1:1',
    imageStyle: 'ai_image',
  })
const ended = (id: string) =>
  waitForVideo(service.runtime, id, ({ process }) => ['COMPLETED', 'FAILED'].includes(process!.status))

describe('a generation whose writer fails', () => {
  it.each<[string, VendorFault, number, object]>([
    [
      'is busy for all of the retries',
      errorFault(429, 'ThrottlingException'),
      6,
      { code: 'provider-unavailable', blocked: false },
    ],
    [
      'does not accept the account, at once',
      errorFault(403, 'AccessDeniedException'),
      1,
      { code: 'provider-unavailable', blocked: false },
    ],
    [
      'rejects the idea, at once',
      toolUseResponse('deliver_script', { refusal: 'This would hurt people.' }),
      1,
      { code: 'script-failed', message: 'The model refuses this subject.', blocked: false },
    ],
  ])('because it %s reports the reason, and costs nothing', async (_what, fault, calls, error) => {
    const before = await credits()
    bedrock.fault = fault
    const { id } = await create()
    expect((await ended(id)).process).toMatchObject({ status: 'FAILED', error })
    expect(bedrock.calls).toHaveLength(calls)
    expect(await credits()).toEqual(before)
  })

  it('is reported once', async () => {
    const { workspaceId } = service.runtime
    const told = await runAdmin<{ type: string }[]>(directory, 'event', 'list', '--workspace', workspaceId)
    const failure = ['video.created', 'video.generation_failed']
    expect(told.map(({ type }) => type)).toEqual([...failure, ...failure, ...failure])
  })
})

describe('what the writer wrote', () => {
  it('is paid for once: a retried step and a requeue reuse the stored result', async () => {
    bedrock.faults = [errorFault(503, 'ServiceUnavailableException')]
    const { id } = await create()
    const video = await ended(id)
    expect(video).toMatchObject({ title: 'How to Sleep Better', process: { status: 'COMPLETED' } })
    expect(bedrock.calls).toHaveLength(2)

    await send('POST', `/videos/${id}/process`, {})
    expect(await ended(id)).toMatchObject({ title: video.title, process: { status: 'COMPLETED' } })
    expect(bedrock.calls).toHaveLength(2)

    const { description } = await send<{ description: string }>('POST', `/videos/${id}/description`, {})
    expect(description).toContain('#')
    expect(bedrock.calls).toHaveLength(3)
  })
})
