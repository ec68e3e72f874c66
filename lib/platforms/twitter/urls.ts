/** X's URLs. */
export const twitterUrls = {
  authorize: 'https://x.com/i/oauth2/authorize',
  api: 'https://api.x.com',
}
