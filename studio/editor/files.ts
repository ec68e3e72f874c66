/** URLs of what the editor loads besides its program, as `scripts/studio.ts` puts them into the program. */
export interface StudioFiles {
  /** The folder of `studio/preview/asset-files.ts`, with a slash at its end. */
  assets: string
  style: string
  picture: string
  sound: string
}

declare const STUDIO_FILES: StudioFiles
export const studioFiles = (): StudioFiles => STUDIO_FILES
