/** Names of states, kinds and platforms for people. */
import type { AutomationItem, PlatformId, Video, VideoItem } from '../../packages/client/index.js'
import type { Tone } from './components.tsx'

export const statusTone: Record<VideoItem['status'], Tone> = {
  draft: 'plain',
  processing: 'busy',
  rendering: 'busy',
  ready: 'good',
  failed: 'bad',
}
export const statusText: Record<VideoItem['status'], string> = {
  draft: 'Draft',
  processing: 'Generating',
  rendering: 'Rendering',
  ready: 'Ready',
  failed: 'Failed',
}

export function kindText({ type, subType, isClip }: Pick<VideoItem, 'type' | 'subType' | 'isClip'>): string {
  if (isClip) return 'Clip'
  if (type === 'video') return 'Own video'
  if (subType === 'presentation') return 'Presentation'
  if (subType === 'ugc') return 'To the camera'
  return type === 'ai' ? 'Scenes' : 'Faceless'
}

export const isBusy = ({ status, publish }: Pick<VideoItem | Video, 'status' | 'publish'>): boolean =>
  status === 'processing' || status === 'rendering' || publish?.status === 'QUEUED' || publish?.status === 'PROCESSING'

/** Percent and stage of the job that runs. */
export function progressOf({ status, process, render }: Pick<VideoItem, 'status' | 'process' | 'render'>) {
  if (status === 'processing' && process) return { value: process.progress, text: process.statusText ?? 'Waiting' }
  if (status === 'rendering' && render)
    return { value: render.progress, text: render.statusText ?? (render.status === 'QUEUED' ? 'Waiting' : 'Rendering') }
  return undefined
}

export const platformNames: Record<PlatformId, string> = {
  tiktok: 'TikTok',
  youtube: 'YouTube',
  instagram: 'Instagram',
  twitter: 'X',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  threads: 'Threads',
  pinterest: 'Pinterest',
  reddit: 'Reddit',
  bluesky: 'Bluesky',
}
export const platformName = (id: string) => platformNames[id as PlatformId] ?? id

export const automationTone = ({ status, health }: Pick<AutomationItem, 'status' | 'health'>): Tone =>
  status === 'paused' ? 'plain' : health.ready ? 'good' : 'warn'
export const automationText = ({ status, stopped, health }: Pick<AutomationItem, 'status' | 'stopped' | 'health'>) =>
  stopped ? 'Stopped' : status === 'paused' ? 'Paused' : health.ready ? 'Active' : 'Blocked'
