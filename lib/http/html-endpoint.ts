/** The adapter of open rows: a page for a browser, whatever happens. Nothing of the address is logged, kept or sent on. */
import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import type { ParamsOf, Route } from '../contract/route.ts'
import { answering, type Event, type Handler, type Result } from './endpoint.ts'
import type { ShownPage } from './html-page.ts'
import { pageHeaders } from './html-page.ts'

export interface Visit<Row extends Route> {
  params: ParamsOf<Row>
  query: Record<string, string | undefined>
}

export function pageEndpoint<const Row extends Route & { open: true }>(
  row: Row,
  show: (visit: Visit<Row>) => Promise<ShownPage>,
  failed: (error: unknown, requestId: string) => ShownPage,
): Handler {
  const chain = middy<Event, Result, Error, Context>()
    .use(answering(row.signature, (error, requestId) => resultOf(failed(error, requestId))))
    .handler(async ({ pathParameters, queryStringParameters }) =>
      resultOf(await show({ params: (pathParameters ?? {}) as ParamsOf<Row>, query: queryStringParameters ?? {} })),
    )
  return chain as unknown as Handler
}

const resultOf = ({ status, html }: ShownPage): Result => ({ statusCode: status, headers: pageHeaders, body: html })
