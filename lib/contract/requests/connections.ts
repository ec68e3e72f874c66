/** The body that begins a connection. */
import * as v from 'valibot'
import { platforms } from '../../domain/core/platform.ts'

export const beginConnectionRequest = v.object({ platform: v.picklist(platforms.map(({ id }) => id)) })
