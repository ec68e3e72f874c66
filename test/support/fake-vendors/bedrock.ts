/** Bedrock's runtime: one server for all of its operations, each in a file of its own. What they share stands here. */
import {
  type FakeVendor,
  type RecordedRequest,
  startFakeVendor,
  VendorRefusal,
  type VendorResponse,
} from './fake-vendor.ts'

/** Answers a request whose path its pattern matches, with the groups of the match. */
export interface BedrockOperation {
  method: 'GET' | 'POST'
  /** Of the path as it was sent: a model id or an ARN in it is still percent-encoded. */
  path: RegExp
  answer: (call: RecordedRequest, groups: Record<string, string>) => VendorResponse | Promise<VendorResponse>
}

/** For `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`, or the `endpoint` of a client that speaks HTTP/1. */
export const startFakeBedrock = (...operations: BedrockOperation[]): Promise<FakeVendor> =>
  startFakeVendor((call) => {
    if (!/^AWS4-HMAC-SHA256 Credential=.+\/bedrock\/aws4_request/.test(call.headers.authorization ?? ''))
      throw restJsonError(403, 'AccessDeniedException', 'Missing Authentication Token')
    for (const { method, path, answer } of operations) {
      const match = method === call.method ? path.exec(call.path) : null
      if (match) return answer(call, decoded(match.groups ?? {}))
    }
    throw restJsonError(
      404,
      'UnknownOperationException',
      `${call.method} ${call.path} is no operation of this stand-in.`,
    )
  })

/** An error as AWS's REST-JSON protocol writes it: to be thrown by an operation, or its `answer` given as a fault. */
export function restJsonError(status: number, name: string, message = name): VendorRefusal {
  const refusal = new VendorRefusal(status, { message })
  refusal.answer.headers = { 'x-amzn-errortype': name }
  return refusal
}

const decoded = (groups: Record<string, string>) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
