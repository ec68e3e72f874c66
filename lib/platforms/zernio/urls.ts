/** Zernio's URL: the same for every platform. */
export const zernioUrls = {
  zernio: 'https://zernio.com/api',
}
