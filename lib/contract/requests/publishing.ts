/** The body of a publication. Everything is optional: what it does not name is the video's own. */
import * as v from 'valibot'
import { platforms } from '../../domain/core/platform.ts'
import type { PublishInput } from '../../domain/publishing/publish.ts'

const platformIds = platforms.map(({ id }) => id)

/** Above what most platforms take: each says itself what is too long for it. Facebook and Reddit would take books. */
const captionLengthMax = 10_000

export const profileId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_]{1,64}$/, 'must be the id of a profile'))

export const publishVideoRequest = v.pipe(
  v.object({
    profileId: v.nullish(profileId),
    platforms: v.nullish(
      v.pipe(
        v.array(v.picklist(platformIds)),
        v.minLength(1, 'must name at least one platform'),
        v.maxLength(platformIds.length, `must name at most ${platformIds.length} platforms`),
      ),
    ),
    caption: v.nullish(
      v.pipe(v.string(), v.maxLength(captionLengthMax, `must be at most ${captionLengthMax} characters long`)),
    ),
  }),
  v.transform(
    ({ profileId, platforms: named, caption }): PublishInput => ({
      profileId: profileId ?? undefined,
      platforms: named ?? undefined,
      caption: caption ?? undefined,
    }),
  ),
)
