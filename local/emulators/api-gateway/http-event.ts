// Converts a request into the event of API Gateway, payload format 2.0.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html

import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

const TEXT = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[^;]+\+(json|xml)))/i

/** A request without its body, as Node's server receives it. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[]
  readonly remoteAddress: string
}

interface MatchedRoute {
  readonly routeKey: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The path and the query of a request, not decoded. */
export function requestTarget(request: { readonly url?: string | undefined }): {
  rawPath: string
  rawQueryString: string
} {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return mark < 0
    ? { rawPath: url, rawQueryString: '' }
    : { rawPath: url.slice(0, mark), rawQueryString: url.slice(mark + 1) }
}

/** A body that is not text is encoded as base64. Absent parts are omitted, not empty. */
export function toEvent(request: ReceivedRequest, body: Buffer, matched: MatchedRoute): APIGatewayProxyEventV2 {
  const { rawPath, rawQueryString } = requestTarget(request)
  const { cookie, ...headers } = joined(headerPairs(request))
  const isBase64Encoded = body.length > 0 && !TEXT.test(headers['content-type'] ?? '')
  const now = new Date()
  const host = headers.host ?? '127.0.0.1'
  return {
    version: '2.0',
    routeKey: matched.routeKey,
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/; ?|,/) }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: joined(new URLSearchParams(rawQueryString)) }),
    ...(Object.keys(matched.parameters).length > 0 && { pathParameters: { ...matched.parameters } }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: 'local',
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.remoteAddress,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: matched.routeKey,
      stage: '$default',
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  }
}

function* headerPairs(request: ReceivedRequest): Generator<[string, string]> {
  const raw = request.rawHeaders
  for (let at = 0; at + 1 < raw.length; at += 2) yield [(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? '']
}

/** Joins values of repeated names with a comma, as the gateway does with headers and queries. */
function joined(pairs: Iterable<[string, string]>): Record<string, string> {
  const result = new Map<string, string>()
  for (const [name, value] of pairs) {
    const before = result.get(name)
    result.set(name, before === undefined ? value : `${before},${value}`)
  }
  return Object.fromEntries(result)
}

/** 12/Mar/2026:19:03:58 +0000, the format of access logs that the gateway uses here. */
function logTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}
