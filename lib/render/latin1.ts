/** The tags of binary formats, which name tables and chunks with four characters. */
export const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
