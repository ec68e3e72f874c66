/** A page of a list, as a request asks for it. */
export interface PageRange {
  limit: number
  offset: number
}
