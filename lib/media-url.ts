/** The address at which clients fetch a stored object. */
import { env } from './env.ts'

export const mediaUrl = (key: string) => `${env.mediaUrl()}/${key}`
