/** The adapter of open rows: a page for a browser, whatever happens. Nothing of the address is logged, kept or sent on. */
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
  show: (visit: HtmlRequest<Row>) => Promise<HtmlPage>,
  failed: (error: unknown, requestId: string) => HtmlPage,
): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Context>()
    .use(responseMiddleware(row.signature, (error, requestId) => resultOf(failed(error, requestId))))
    .handler(async ({ pathParameters, queryStringParameters }) =>
      resultOf(await show({ params: (pathParameters ?? {}) as ParamsOf<Row>, query: queryStringParameters ?? {} })),
    )
  return chain as unknown as HttpHandler
}

const resultOf = ({ status, html }: HtmlPage): HttpResult => ({ statusCode: status, headers: htmlHeaders, body: html })
