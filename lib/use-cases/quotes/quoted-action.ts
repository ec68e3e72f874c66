/** A paid action as its quote needs it: its row, and its decision without a commit. */
import type { BodyOf, Route, Schema } from '../../contract/route.ts'
import type { VendorWork } from '../../domain/generation/vendor-prices.ts'
import type { QuotedPrice } from '../../domain/workspaces/quote.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'

interface ActionRequest<Row extends Route> {
  workspace: Workspace
  /** Those that the path names. */
  params: Record<'id' | 'sceneId' | 'brollId', string>
  body: BodyOf<Row>
  now: string
}

export interface ActionPrice extends QuotedPrice {
  seconds: number | null
  work: VendorWork
}

export interface QuotedAction<Row extends Route = Route> {
  row: Row
  /** Throws the refusals of the action. */
  price: (request: ActionRequest<Row>) => Promise<ActionPrice>
  /** See `EndpointOptions`. */
  loadBodySchema?: () => Promise<Schema>
}

/** Forgets the type of the body, which the row's schema has parsed. */
export const quotedAction = <Row extends Route>(action: QuotedAction<Row>) => action as unknown as QuotedAction
