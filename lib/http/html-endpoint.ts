/** The adapter of public rows: every response is an HTML page. The URL holds secrets: it is never logged, stored or forwarded. */
import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import type { ParamsOf, Route } from '../contract/route.ts'
import { type HttpEvent, type HttpHandler, type HttpResult, responseMiddleware } from './endpoint.ts'
import type { HtmlPage } from './html-page.ts'
import { htmlHeaders } from './html-page.ts'

export interface HtmlRequest<Row extends Route> {
  params: ParamsOf<Row>
  query: Record<string, string | undefined>
}

export function htmlEndpoint<const Row extends Route & { isPublic: true }>(
  row: Row,
  render: (request: HtmlRequest<Row>) => Promise<HtmlPage>,
  renderError: (error: unknown, requestId: string) => HtmlPage,
): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Context>()
    .use(responseMiddleware(row.signature, (error, requestId) => resultOf(renderError(error, requestId))))
    .handler(async ({ pathParameters, queryStringParameters }) =>
      resultOf(await render({ params: (pathParameters ?? {}) as ParamsOf<Row>, query: queryStringParameters ?? {} })),
    )
  return chain as unknown as HttpHandler
}

const resultOf = ({ status, html }: HtmlPage): HttpResult => ({ statusCode: status, headers: htmlHeaders, body: html })
