/** Facebook's URLs. */
import { graphVersion } from '../meta/graph-version.ts'

export const facebookUrls = {
  authorize: `https://www.facebook.com/${graphVersion}/dialog/oauth`,
  graph: `https://graph.facebook.com/${graphVersion}`,
}
