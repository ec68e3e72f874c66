/** The social platforms. The list is static and the same for every workspace. */
export const platforms = [
  { id: 'tiktok', name: 'TikTok', color: '#000000' },
  { id: 'youtube', name: 'YouTube', color: '#ff0000' },
  { id: 'instagram', name: 'Instagram', color: '#e4405f' },
  { id: 'twitter', name: 'X (Twitter)', color: '#1d9bf0' },
  { id: 'facebook', name: 'Facebook', color: '#1877f2' },
  { id: 'linkedin', name: 'LinkedIn', color: '#0a66c2' },
  { id: 'threads', name: 'Threads', color: '#101010' },
  { id: 'pinterest', name: 'Pinterest', color: '#e60023' },
  { id: 'reddit', name: 'Reddit', color: '#ff4500' },
  { id: 'bluesky', name: 'Bluesky', color: '#0085ff' },
] as const
export type PlatformId = (typeof platforms)[number]['id']

/** The display name. */
export const platformName = (platform: PlatformId): string => platforms.find(({ id }) => id === platform)!.name
