/** TikTok's URLs. */
export const tiktokUrls = {
  authorize: 'https://www.tiktok.com/v2/auth/authorize/',
  api: 'https://open.tiktokapis.com',
}
