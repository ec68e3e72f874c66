/** LinkedIn's URLs. */
export const linkedinUrls = {
  site: 'https://www.linkedin.com',
  api: 'https://api.linkedin.com',
}
