/** Threads' URLs. */
export const threadsUrls = {
  authorize: 'https://threads.net/oauth/authorize',
  /** The token endpoints have no version in their path. */
  tokens: 'https://graph.threads.net',
  graph: 'https://graph.threads.net/v1.0',
}
