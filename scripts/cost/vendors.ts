/** The price of each vendor for one generated minute, from docs/guides/providers.md. */

interface VendorLine {
  capability: string
  vendor: string
  usd: number
  /** As written in docs/guides/providers.md. */
  priceText: string
  /** Units that a generated minute needs. */
  times: number
  of: string
}

/** A minute of speech at the rate of `bench:usage`. */
const charactersOfMinute = 1_000

export const vendorLines = (picturesOfMinute: number): VendorLine[] => [
  { capability: 'writer', vendor: 'bedrock', usd: 0.003, priceText: '$0.003 a script', times: 1, of: 'script' },
  {
    capability: 'director',
    vendor: 'bedrock',
    usd: 0.005,
    priceText: '$0.005 a minute of speech',
    times: 1,
    of: 'minute',
  },
  { capability: 'narrator', vendor: 'polly', usd: 0.03, priceText: '$0.03 a minute of speech', times: 1, of: 'minute' },
  {
    capability: 'expressive',
    vendor: 'elevenlabs',
    usd: 0.1,
    priceText: '$0.10 per 1,000 characters',
    times: charactersOfMinute / 1_000,
    of: 'thousand characters',
  },
  { capability: 'transcriber', vendor: 'transcribe', usd: 0.024, priceText: '$0.024 a minute', times: 1, of: 'minute' },
  {
    capability: 'images',
    vendor: 'stability',
    usd: 0.04,
    priceText: '$0.04 a picture',
    times: picturesOfMinute,
    of: 'pictures',
  },
  {
    capability: 'footage',
    vendor: 'pexels',
    usd: 0,
    priceText: 'nothing; 200 requests an hour',
    times: 1,
    of: 'minute',
  },
  { capability: 'animator', vendor: 'luma', usd: 1.5, priceText: '$1.50 a second at 720p', times: 60, of: 'seconds' },
  { capability: 'avatars', vendor: 'heygen', usd: 0.05, priceText: '$0.05 a second', times: 60, of: 'seconds' },
]
