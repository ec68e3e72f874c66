/** The body of POST /videos/{id}/brolls/{brollId}/presenter. */
import * as v from 'valibot'
import { presenter } from '../../domain/records/brief.ts'

const { imageUrl, avatarId, name } = presenter.entries

/** Gives a `PresenterWish`: absent and null both mean the brief's presenter. */
export const makePresenterRequest = v.object({
  imageUrl: v.nullish(imageUrl.wrapped, null),
  avatarId: v.nullish(avatarId.wrapped, null),
  name: v.nullish(name.wrapped, null),
})
