/** The worker of a preview: plans the video and draws its frames on the canvas of the page, so that typing never waits. */
import { type BrowserAssets, loadAssets } from './assets.ts'
import type { PreviewVideo } from './composition.ts'
import { previewSize } from './composition.ts'
import { createFrameDrawer, type FrameDrawer } from './frame-drawer.ts'
import type { PreviewReply, PreviewRequest } from './messages.ts'
import { createPlanner, type PlannedPreview } from './plan.ts'

interface Stage {
  canvas: OffscreenCanvas
  context: OffscreenCanvasRenderingContext2D
  assets: BrowserAssets
  plan: ReturnType<typeof createPlanner>
  shortSide: number
  planned?: PlannedPreview
  drawer?: FrameDrawer
}

let stage: Promise<Stage> | undefined
/** Only the newest request of each kind counts. */
let edited: { video: PreviewVideo; revision: number } | undefined
let wanted: number | undefined
let revision = 0
let isBusy = false

const reply = (message: PreviewReply) => self.postMessage(message)

self.addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => {
  if (data.kind === 'open') stage = openStage(data)
  if (data.kind === 'show') edited = data
  if (data.kind === 'draw') wanted = data.frame
  if (!isBusy) void work()
})

async function openStage({ assets: base, canvas, shortSide }: PreviewRequest & { kind: 'open' }): Promise<Stage> {
  const assets = await loadAssets(base)
  const context = canvas.getContext('2d', { alpha: false, desynchronized: true })!
  return { canvas, context, assets, plan: createPlanner(assets), shortSide }
}

async function work(): Promise<void> {
  isBusy = true
  while (edited || wanted !== undefined) {
    const [edit, frame] = [edited, wanted]
    if (edit) edited = undefined
    else wanted = undefined
    try {
      const opened = await stage!
      if (edit) await show(opened, edit)
      else await draw(opened, frame!)
    } catch (failure) {
      reply({ kind: 'failed', message: failure instanceof Error ? failure.message : String(failure) })
    }
  }
  isBusy = false
}

async function show(stage: Stage, edit: { video: PreviewVideo; revision: number }): Promise<void> {
  const size = previewSize(edit.video, stage.shortSide)
  const planned = await stage.plan(edit.video, size)
  const { composition, plan } = planned
  const isSameSize = stage.planned?.plan.width === plan.width && stage.planned.plan.height === plan.height
  if (!stage.drawer || !isSameSize) {
    Object.assign(stage.canvas, size)
    stage.drawer = createFrameDrawer(plan, stage.assets)
  }
  await stage.drawer.use(plan)
  stage.planned = planned
  revision = edit.revision
  const { narrationKey, music } = composition
  const sound = { narrationUrl: narrationKey, ...(music && { music }), seconds: plan.frames / plan.fps }
  const { fps, frames, width, height } = plan
  reply({ kind: 'planned', revision, timing: { fps, frames, width, height, sound } })
}

async function draw({ canvas, context, planned, drawer }: Stage, wantedFrame: number): Promise<void> {
  if (!planned || !drawer) return
  const { plan } = planned
  const frame = Math.max(0, Math.min(plan.frames - 1, wantedFrame))
  const bytes = await drawer.draw(frame)
  const picture = new VideoFrame(bytes as Uint8Array<ArrayBuffer>, {
    ...{ format: 'I420', codedWidth: plan.width, codedHeight: plan.height, timestamp: 0 },
    colorSpace: { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', fullRange: false },
  })
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  reply({ kind: 'drawn', frame, revision })
  // Whatever follows is ready before it is due. Failures show when it is drawn.
  drawer.prepare(frame).catch(() => {})
}
