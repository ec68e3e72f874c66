/** Slots of automations, and posts. */
import { isOpen } from '../../../lib/domain/core/states.ts'
import { differs, type Facts } from './facts.ts'

/** A clip is scheduled for a slot of an active automation: a pause revokes its slot. */
export function scheduledWhileActive({ videos, isOver }: Facts): string[] {
  if (!isOver) return []
  const statuses = new Map(videos.flatMap(({ id, automation }) => (automation ? [[id, automation.status]] : [])))
  return videos.flatMap(({ id, publish, parentVideoId }) => {
    const status = publish?.status === 'SCHEDULED' && statuses.get(parentVideoId ?? '')
    return status && status !== 'active' ? [`The clip ${id} is scheduled, but its automation is ${status}.`] : []
  })
}

/** A clip is made once for each number, and a slot decided once. */
export function slotsOnce({ videos, items, world: { monitor } }: Facts): string[] {
  return videos
    .filter(({ automation }) => automation)
    .flatMap(({ id, automation }) => {
      const made = [...monitor.events.values()].filter(
        ({ event }) => event.type === 'automation.clip_created' && event.facts.automation.id === id,
      ).length
      const slots = items.filter(({ pk, sk }) => String(pk).endsWith(`#${id}`) && String(sk).startsWith('SLOT#'))
      const published = slots.filter(({ outcome }) => outcome === 'published').map(({ clipId }) => clipId)
      return [
        ...differs(`The number of clips of the automation ${id}`, automation!.runs, made),
        ...(new Set(published).size < published.length
          ? [`A clip of the automation ${id} was published in two slots.`]
          : []),
      ]
    })
}

export function postedOnce({ world: { posts, monitor }, postings, videos, isOver }: Facts): string[] {
  const doubled = [...Map.groupBy(posts, ({ post, account }) => `${post} ${account}`)]
    .filter(([, accepted]) => accepted.length > 1)
    .map(([name, accepted]) => `The post ${name} was accepted ${accepted.length} times.`)
  const ended = postings.flatMap(({ post, end }) => {
    const accepted = posts.find((one) => one.post === post.id)
    if (end?.status === 'COMPLETED' && !accepted) return [`The post ${post.id} is reported, but does not exist.`]
    if (end?.status === 'FAILED' && end.error.code !== 'publish-outcome-unknown' && accepted)
      return [`The post ${post.id} exists, but is reported as failed: ${end.error.code}.`]
    return []
  })
  // A first step that its run no longer waits for may create a posting after the run has failed; no step ever sends it.
  const isInert = ({ version, end }: Facts['postings'][number]) => version === 1 && !end
  const ends = new Map(postings.filter((posting) => !isInert(posting)).map(({ post, end }) => [post.id, end?.status]))
  const otherwise = videos.flatMap(({ publish }) =>
    (publish?.results ?? []).flatMap(({ status, accountId }) => {
      const post = `${publish!.runId}-${accountId}`
      const isEnded = ['COMPLETED', 'FAILED'].includes(status)
      return isEnded && ends.has(post) ? differs(`The end of the posting ${post}`, ends.get(post), status) : []
    }),
  )
  const isAccepted = (post: string) => posts.some((one) => one.post === post)
  const shown = videos.flatMap(({ publish }) =>
    (publish?.results ?? []).flatMap(({ status, accountId, error }) => {
      const post = `${publish!.runId}-${accountId}`
      if (status === 'COMPLETED' && !isAccepted(post))
        return [`The video shows the post ${post}, which does not exist.`]
      return status === 'FAILED' && error?.code !== 'publish-outcome-unknown' && isAccepted(post)
        ? [`The video shows the post ${post} as failed, but it exists.`]
        : []
    }),
  )
  // A run is shorter than the 24 hours within which a post is not repeated.
  const repeated = [...Map.groupBy(posts, ({ post }) => monitor.postings.get(post))]
    .filter(([subject, accepted]) => subject !== undefined && accepted.length > 1)
    .map(([subject, accepted]) => `${subject} was posted ${accepted.length} times.`)
  const open = isOver
    ? videos.flatMap(
        ({ publish }) => publish?.results.filter(isOpen).map(() => `A result of ${publish.runId} is open.`) ?? [],
      )
    : []
  return [...doubled, ...ended, ...otherwise, ...shown, ...repeated, ...open]
}
