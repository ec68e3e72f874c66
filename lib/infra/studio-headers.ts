/** The response headers of the studio, for its distribution and for the local run. Imports nothing. */

/** What pages of the studio may load: files of their origin, and media. `media`: origins of stored files and of uploads. */
export const studioPolicy = (media: readonly string[]): string =>
  Object.entries({
    'default-src': ["'none'"],
    // The renderer of the preview is WebAssembly.
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'worker-src': ["'self'"],
    'style-src': ["'self'"],
    'font-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', ...media],
    'media-src': ["'self'", 'blob:', ...media],
    'connect-src': ["'self'", ...media],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')

export const studioHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Names of these files contain a hash of their content. */
export const immutableFolder = 'assets/'
export const immutableCacheControl = 'public, max-age=31536000, immutable'
export const pageCacheControl = 'no-cache'
