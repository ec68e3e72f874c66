/** Pinterest's URLs. */
export const pinterestUrls = {
  authorize: 'https://www.pinterest.com/oauth/',
  api: 'https://api.pinterest.com',
}
