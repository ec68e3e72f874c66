/** The public URL of a stored object. */
import { env } from './env.ts'

export const mediaUrl = (key: string) => `${env.mediaUrl()}/${key}`
