/** The reference video as a Remotion composition. The input props are a composition of lib/render. */
import {
  AbsoluteFill,
  Audio,
  Composition,
  continueRender,
  delayRender,
  Img,
  interpolate,
  registerRoot,
  Sequence,
  spring,
  staticFile,
  useCurrentFrame,
  useVideoConfig,
} from 'remotion'

const fadeFrames = 12

const waiting = delayRender('font')
const font = new FontFace('Anton', `url(${staticFile('anton.ttf')})`)
font.load().then(() => {
  document.fonts.add(font)
  continueRender(waiting)
})

const framesOf = (ms, fps) => Math.round((ms * fps) / 1000)

function Still({ shot, frames, fades }) {
  const frame = useCurrentFrame()
  const { from, to } = shot.motion
  const at = (a, b) => interpolate(frame, [0, frames - 1], [a, b])
  const scale = at(from.scale, to.scale)
  const style = {
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    transformOrigin: `${100 * at(from.x, to.x)}% ${100 * at(from.y, to.y)}%`,
    transform: `scale(${scale})`,
    opacity: fades ? interpolate(frame, [-1, fadeFrames], [0, 1], { extrapolateRight: 'clamp' }) : 1,
  }
  return <Img src={staticFile(`${shot.media.key}.jpg`)} style={style} />
}

function Page({ page }) {
  const frame = useCurrentFrame()
  const { fps, width } = useVideoConfig()
  const ms = page.startMs + (frame * 1000) / fps
  const entered = spring({ frame, fps, config: { damping: 200 }, durationInFrames: 6 })
  return (
    <AbsoluteFill>
      <div
        style={{
          position: 'absolute',
          top: '70%',
          width: '100%',
          textAlign: 'center',
          transform: `translateY(calc(-50% + ${60 * (1 - entered)}px))`,
          opacity: entered,
          fontFamily: 'Anton',
          fontSize: (72 * width) / 720,
          lineHeight: 1.22,
          textTransform: 'uppercase',
          WebkitTextStroke: '16px black',
          paintOrder: 'stroke',
        }}
      >
        {page.words.map((word) => {
          const spoken = ms >= word.startMs && ms < word.endMs
          const scale = spoken ? interpolate(ms - word.startMs, [0, 70, 200], [1, 1.16, 1.06], clamp) : 1
          const style = { display: 'inline-block', margin: '0 0.13em', color: spoken ? '#39E508' : 'white' }
          return (
            <span key={word.startMs} style={{ ...style, transform: `scale(${scale})` }}>
              {word.punctuated_word}
            </span>
          )
        })}
      </div>
    </AbsoluteFill>
  )
}
const clamp = { extrapolateLeft: 'clamp', extrapolateRight: 'clamp' }

function Film({ film }) {
  const { fps } = useVideoConfig()
  return (
    <AbsoluteFill style={{ background: 'black' }}>
      {film.shots.map((shot, index) => {
        const from = framesOf(shot.startMs, fps)
        const isLast = index === film.shots.length - 1
        const frames = framesOf(shot.endMs, fps) - from + (isLast ? 0 : fadeFrames)
        return (
          <Sequence key={shot.startMs} from={from} durationInFrames={frames}>
            <Still shot={shot} frames={frames} fades={index > 0} />
          </Sequence>
        )
      })}
      {film.pages.map((page) => (
        <Sequence
          key={page.startMs}
          from={framesOf(page.startMs, fps)}
          durationInFrames={framesOf(page.endMs - page.startMs, fps)}
        >
          <Page page={page} />
        </Sequence>
      ))}
      <Audio src={staticFile(`${film.narrationKey}.wav`)} />
    </AbsoluteFill>
  )
}

registerRoot(() => (
  <Composition
    id="film"
    component={Film}
    durationInFrames={1}
    fps={30}
    width={1080}
    height={1920}
    defaultProps={{ film: { shots: [], pages: [], narrationKey: '' } }}
    calculateMetadata={({ props: { film } }) => ({
      durationInFrames: Math.max(1, framesOf(film.durationMs ?? 0, 30)),
    })}
  />
))
