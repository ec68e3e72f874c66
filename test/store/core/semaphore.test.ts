/** A burst of requests to the table: none may time out while it waits for the others. */
import { setImmediate as turn } from 'node:timers/promises'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { withConcurrencyLimit } from '../../../lib/store/core/client.ts'

it('a request waits for a socket before the SDK starts its timeout, also after a failed request', async () => {
  const begun: string[] = []
  let atOnce = 0
  let most = 0
  /** The queued requests; nothing responds to them. */
  const requestHandler = {
    handle: async ({ body }: { body: Uint8Array }): Promise<never> => {
      begun.push(JSON.parse(new TextDecoder().decode(body)).Key.pk.S)
      most = Math.max(most, ++atOnce)
      await turn()
      atOnce--
      throw new Error('Nobody is there.')
    },
  }
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' }
  const client = withConcurrencyLimit(
    new DynamoDBClient({ region: 'us-east-1', credentials, requestHandler, maxAttempts: 1 }),
  )
  const names = Array.from({ length: 300 }, (_, index) => String(index))
  const sent = names.map((name) =>
    client.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: name }, sk: { S: 's' } } })),
  )
  for (const end of await Promise.allSettled(sent)) expect(end.status).toBe('rejected')
  expect(begun.toSorted()).toEqual(names.toSorted())
  expect(most).toBe(50)
})
