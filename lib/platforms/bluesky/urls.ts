/** Bluesky's URLs. */
export const blueskyUrls = {
  /** For accounts whose settings do not name their own server. */
  pds: 'https://bsky.social',
  video: 'https://video.bsky.app',
}
