/** Reddit's URLs, and the user agent that it demands. */
export const redditUrls = {
  site: 'https://www.reddit.com',
  api: 'https://oauth.reddit.com',
}

/** https://github.com/reddit-archive/reddit/wiki/API#rules */
export const userAgent = (username: string) => ({ 'user-agent': `web:reelsmith:v1 (by /u/${username})` })
