/** The body of POST /videos/{id}/publish. Every field is optional; the defaults are those of the video. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { platforms } from '../../domain/core/platform.ts'
import type { PublishInput } from '../../domain/publishing/publish.ts'

const platformIds = platforms.map(({ id }) => id)

/** Above the limit of most platforms, whose own checks refuse what they do not take. Facebook and Reddit have far higher limits. */
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
    caption: v.nullish(boundedText(captionLengthMax)),
  }),
  v.transform(
    ({ profileId, platforms: named, caption }): PublishInput => ({
      profileId: profileId ?? undefined,
      platforms: named ?? undefined,
      caption: caption ?? undefined,
    }),
  ),
)
