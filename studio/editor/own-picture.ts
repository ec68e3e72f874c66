/** Pictures of the user, as they are sent: upright, no larger than a render shows, without what a camera writes into them. */

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp']

/** A render of 1080x1920 with its closest camera. */
const sideMax = 2_208
/** Of a file, which the service takes up to 2 MB of. The first one that fits is sent. */
const qualities = [0.92, 0.8, 0.6, 0.4]
const bytesMax = 2 * 1024 * 1024

/** Base64 of a JPEG. Throws a sentence where the file is no picture. */
export async function encodePicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('The file is not a picture that can be shown. Choose a PNG, JPEG or WebP.')
  })
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = new OffscreenCanvas(width!, height!)
  const context = canvas.getContext('2d')!
  // What is transparent would be black.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  for (const quality of qualities) {
    const encoded = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (encoded.size <= bytesMax) return base64Of(new Uint8Array(await encoded.arrayBuffer()))
  }
  throw new Error('The picture has too much detail for 2 MB. Choose a smaller one.')
}

/** In parts: a call takes a limited number of arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
