/** The body of POST /videos/{id}/publish. Every field is optional; the defaults are those of the video. */
import * as v from 'valibot'
import { boundedText, idPattern } from '../../domain/core/bounded.ts'
import { platforms } from '../../domain/core/platform.ts'
import type { PublishInput } from '../../domain/publishing/publish.ts'
import { captionLengthMax } from '../../domain/records/jobs.ts'

const platformIds = platforms.map(({ id }) => id)

export const profileId = v.pipe(v.string(), v.regex(idPattern, 'must be the id of a profile'))

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
