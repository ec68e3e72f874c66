/** Requests with the body as a value: parsed by a route row, or refused by it. */
import { parseRequest } from '../../lib/contract/parse-request.ts'
import type { Route } from '../../lib/contract/route.ts'
import { parseRefusal, type RequestText } from '../support/refusals.ts'

type RequestValue = Omit<RequestText, 'body'> & { body?: unknown }

const textOf = ({ params = {}, query = {}, body }: RequestValue) => ({
  params,
  query,
  body: body === undefined ? '' : JSON.stringify(body),
})

export const parseRow = (row: Route, request: RequestValue) => parseRequest(row, textOf(request))

export const refusalOfRow = (row: Route, request: RequestValue) => parseRefusal(row, textOf(request))
