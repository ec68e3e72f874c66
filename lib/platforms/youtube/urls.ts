/** URLs of YouTube and of Google's OAuth server. */
export const youtubeUrls = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  api: 'https://www.googleapis.com',
}
