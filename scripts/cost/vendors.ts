/** The price of one vendor of each capability for one generated minute. */
import { unitOfWork, type VendorPrice, vendorPrices } from '../../lib/domain/generation/vendor-prices.ts'

interface VendorLine {
  capability: string
  vendor: string
  usd: number
  priceText: string
  /** Units that a generated minute needs. */
  times: number
  of: string
}

/** A vendor is listed first; those of OpenAI's API have no line. */
export const vendorLines = (picturesOfMinute: number): VendorLine[] =>
  Object.entries(vendorPrices).map(([capability, vendors]) => {
    const [vendor, { usd, text }] = Object.entries(vendors)[0] as [string, VendorPrice]
    const of = unitOfWork[capability as keyof typeof unitOfWork]
    return {
      capability,
      vendor,
      usd,
      priceText: text,
      times: { pictures: picturesOfMinute, seconds: 60 }[of as string] ?? 1,
      of,
    }
  })
