/** A request as API Gateway passes it to a function, for tests that run a handler in their own process. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'

/** Thirty seconds remain, as of every function behind the gateway. */
export const noContext = { getRemainingTimeInMillis: () => 30_000 } as Context

export function apiEvent(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): APIGatewayProxyEventV2 {
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' }
  const requestContext = {
    accountId: '0',
    apiId: 'test',
    domainName: 'test',
    domainPrefix: 'test',
    http,
    requestId: 'req_test',
    routeKey: `${method} ${path}`,
    stage: '$default',
    time: '',
    timeEpoch: Date.now(),
  }
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers,
    requestContext,
    body,
    isBase64Encoded: false,
  }
}
