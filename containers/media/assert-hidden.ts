/** Whether the credentials of the task are out of reach for ffmpeg. */
import { accessSync, constants } from 'node:fs'
import { isIsolationRequired } from '../../lib/ffmpeg/binary.ts'

/** `hide-memory.c` makes root the owner of these files: then ffmpeg, which has the same user as Node, cannot read them. */
const ownEnvironment = '/proc/self/environ'

/** @throws Error in the image, if the process is not hidden. The build of the image runs this, too. */
export function assertHidden(): void {
  if (!isIsolationRequired()) return
  try {
    accessSync(ownEnvironment, constants.R_OK)
  } catch {
    return
  }
  throw new Error(
    `ffmpeg could read the credentials of this process: ${ownEnvironment} is readable. LD_PRELOAD must name the library that containers/media/Dockerfile compiles, and the user must not be root.`,
  )
}
