/** Binds a view of `lib/contract/views` to the media host of the deployment; the contract itself reads no environment. */
import type { MediaUrlFor } from '../contract/views/index.ts'
import { mediaUrl } from '../media-url.ts'

type View<Records extends unknown[], Resource> = (...args: [...records: Records, mediaUrl: MediaUrlFor]) => Resource

/** Supplies the last parameter of a view. */
/* @__NO_SIDE_EFFECTS__ */
export const bindMediaUrl =
  <Records extends unknown[], Resource>(view: View<Records, Resource>) =>
  (...records: Records): Resource =>
    view(...records, mediaUrl)
