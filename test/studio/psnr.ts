/** How alike two pictures are. */

/** Peak signal-to-noise ratio in dB over all bytes of two frames of one format. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / a.length))
}
