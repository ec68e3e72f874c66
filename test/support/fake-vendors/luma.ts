/**
 * Luma Ray2 on Bedrock, which writes its films into a bucket:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_StartAsyncInvoke.html
 */
import * as v from 'valibot'
import { type BedrockOperation, restJsonError } from './bedrock.ts'
import { tinyVideo } from './media.ts'

const request = v.strictObject({
  modelId: v.literal('luma.ray-v2:0'),
  clientRequestToken: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(256), v.regex(/^[a-zA-Z0-9]+(-*[a-zA-Z0-9])*$/)),
  ),
  modelInput: v.strictObject({
    prompt: v.pipe(v.string(), v.minLength(1), v.maxLength(5_000)),
    aspect_ratio: v.picklist(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21']),
    duration: v.picklist(['5s', '9s']),
    resolution: v.picklist(['540p', '720p']),
    loop: v.optional(v.boolean()),
    keyframes: v.strictObject({
      frame0: v.strictObject({
        type: v.literal('image'),
        source: v.strictObject({
          type: v.literal('base64'),
          media_type: v.picklist(['image/jpeg', 'image/png']),
          data: v.pipe(v.string(), v.base64()),
        }),
      }),
    }),
  }),
  outputDataConfig: v.strictObject({
    s3OutputDataConfig: v.strictObject({ s3Uri: v.pipe(v.string(), v.regex(/^s3:\/\/[a-z0-9.-]{3,63}\/\S+[^/]$/)) }),
  }),
})

export interface FakeLuma {
  operations: BedrockOperation[]
  /** Started videos, one for each client token. */
  orders: () => number
  /** How many polls report that it is in progress. */
  pendingPolls: number
  fails: boolean
  /** The bucket, by address. */
  bucket: Map<string, Uint8Array>
}

export function fakeLuma(): FakeLuma {
  const orders: { token: string | undefined; arn: string; folder: string; polls: number }[] = []
  const start: BedrockOperation = {
    method: 'POST',
    path: /^\/async-invoke$/,
    answer({ body }) {
      const given = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body.toString('utf8'))
      if (!given.success) throw restJsonError(400, 'ValidationException', `Wrong: ${v.getDotPath(given.issues[0])}`)
      const { clientRequestToken: token, outputDataConfig } = given.output
      const known = token && orders.find((order) => order.token === token)
      if (known) return { body: { invocationArn: known.arn } }
      const id = `inv${orders.length + 1}`
      const arn = `arn:aws:bedrock:us-west-2:123456789012:async-invoke/${id}`
      orders.push({ token, arn, folder: `${outputDataConfig.s3OutputDataConfig.s3Uri}/${id}`, polls: 0 })
      return { body: { invocationArn: arn } }
    },
  }
  const get: BedrockOperation = {
    method: 'GET',
    path: /^\/async-invoke\/(?<arn>[^/]+)$/,
    async answer(_, { arn }) {
      const order = orders.find((one) => one.arn === arn)
      if (!order) throw restJsonError(400, 'ValidationException', 'No such invocation.')
      const pending = order.polls++ < stand.pendingPolls
      const status = pending ? 'InProgress' : stand.fails ? 'Failed' : 'Completed'
      if (status === 'Completed' && !stand.bucket.has(`${order.folder}/output.mp4`))
        stand.bucket.set(`${order.folder}/output.mp4`, await tinyVideo())
      return {
        body: {
          invocationArn: arn,
          modelArn: 'arn:aws:bedrock:us-west-2::foundation-model/luma.ray-v2:0',
          status,
          submitTime: '2026-11-21T10:00:00Z',
          ...(status === 'Failed' && { failureMessage: 'The account 123456789012 met a content filter.' }),
          outputDataConfig: { s3OutputDataConfig: { s3Uri: order.folder } },
        },
      }
    },
  }
  const stand: FakeLuma = {
    operations: [start, get],
    orders: () => orders.length,
    pendingPolls: 2,
    fails: false,
    bucket: new Map(),
  }
  return stand
}
