/** The body of PATCH /videos/{id}/config. */
import * as v from 'valibot'
import { themeConfig } from '../../domain/records/theme.ts'

/** Unknown keys are dropped; a body that then holds nothing is refused. */
export const mergeConfigRequest = v.pipe(
  themeConfig,
  v.check((config) => Object.keys(config).length > 0, 'holds no config key that is known'),
)
