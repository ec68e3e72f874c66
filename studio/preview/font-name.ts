/** The name of a font in the folder of assets: `FontFile.file` without its package. */
export const fontName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)
