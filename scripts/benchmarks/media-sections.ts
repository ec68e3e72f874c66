/** The sections on rendering, generation and uploads. Figures come from the results; explanations are written here. */
import { type Figures, goals } from '../../bench/figures.ts'
import { markdownTable } from '../markdown-table.ts'
import { formatNumber, formatPercent, goalText, type Section, times, unitFormatter } from './markdown.ts'

const seconds = (value: number) => formatNumber(value, 1)

export const renderSection: Section<'render'> = {
  title: 'Rendering: `npm run bench:render`',
  name: 'render',
  about: `The reference video lasts 30 s: eight stills with about the detail of photographs, slow moves, crossfades of 12 frames, 33 pages of captions and a
voice; 1080x1920 at 30 frames a second, about 8 MB ([bench/render/reference.ts](../../bench/render/reference.ts) draws it from fixed numbers). **The
floor** is x264 alone with the same frames, captions included, and the same settings: raw files in memory, one process per
core. Every render is a separate process, start-up included; CPU time is the sum of all its processes. The edit changes one word of a video of
60 s whose segments are stored.`,
  body: (figures) => [
    markdownTable(['', 'wall s', 'CPU s', 'goal'], renderRows(figures)),
    sameness(figures),
    `CPU time above the floor for 30 s of video, from one profile of 27 November 2026 with the ffmpeg of the image on a busy Intel Xeon, whose floor was
15 to 18 s on that day: moves, crossfades and captions 2.6 s, of which a move is 0.98 ms a frame (two rows at once with relaxed SIMD); zeroing the memory of 16
encoders 1.7 s; copying frames into sockets and out of them 1.2 s; the main thread 1.1 s, of which half is loading modules; V8's threads, which
compile and collect garbage, 0.8 s; stills 0.7 s, before their scaler ran on one thread; sound 0.5 s; the thumbnail 0.25 s; starting 36 processes 0.15 s.`,
    'Other measurements, including changes that were tried and not adopted:',
    `- Frames reach ffmpeg through the socket that Node creates for a child's standard input: 0.7 s for 600 frames, both ends together. A named pipe
  took 0.8 to 1.3 s, at every buffer size (64 KB to 1 MB), with blocking and non-blocking writes.
- Segments of at most 60 frames cost 2 % more CPU than segments of 120, halve the time of an edit and make the file 5 % smaller; segments of 45
  make it 6 % larger.
- V8 rebuilds a constant vector at every use, with three instructions each time. With constants read from memory, a frame takes 0.85 ms instead
  of 1.31 ms.
- Before it joins segments, ffmpeg decodes the start of each to detect its colours: 0.32 s for 16 segments, 0.04 s with detection disabled.
- glibc returns blocks as large as a frame to the system and requests them again, zeroed. Segments are encoded with
  \`MALLOC_MMAP_THRESHOLD_\` of 4 MB (x264 allocates larger blocks once), which saves 1.1 s of CPU. The floor uses unmodified ffmpeg; with the same
  setting it would be 6.0 s, and the render 1.4 times that.
- Each encoder uses 190 MB, nearly all of it for the reference pictures of x264. Zeroing them takes 0.1 s, and 0.3 s on a virtual machine whose
  host has reclaimed the memory: this is why runs of the same video differ by 5 %.
- Starting the next encoder while the previous one ends saves 10 ms per segment and nothing measurable per video: 9.15 s instead of 9.19 s (median
  of eleven).
- libass in ffmpeg, the previous caption renderer, took 1.2 s for 900 frames to shape, stroke, fill and blend, and 0.3 s to copy each frame, because
  ffmpeg holds a reference to its packet.
- On one machine with Linux 6.18 those settings changed nothing: 15.4 s of CPU for the floor with and without them, beside other work.
- Huge pages for blocks of glibc too (\`glibc.malloc.hugetlb=1\`; x264 requests them for its own): 4,000 page faults less per segment and no CPU time
  that can be measured.
- Two threads on frames of their own instead of on slices of one: 4 to 16 % more CPU time per segment, and for two slices at most 2 %.
- Without \`b-pyramid\` an encoder needs 13 % less memory and 3 % less CPU time, for 0.3 dB less SSIM at 0 to 3 % more bytes; with two B-frames
  instead of three, 7 to 12 % more bytes.
- Unrolling the loops of the motion kernel saves nothing.
- Starting threads before their work is known saves nothing: at start-up, processes and threads share two cores.
- An \`rc-lookahead\` of 5 instead of 10 uses 20 % less memory and 10 % more bytes for the same SSIM.
- ffmpeg 4 exits with success if the last bytes of a file do not fit on the disk, and silently writes empty pictures there.`,
  ],
}

function renderRows(figures: Figures['render']): string[][] {
  const { floor, film, cold, edit, wallToFloor, cpuToFloor, peakMegabytes, editCpuShare, editWallSeconds, editReuse } =
    figures
  const { render: goal } = goals
  const ratio = times(2)
  const toFloor = [goalText(wallToFloor, goal.wallToFloor, ratio), goalText(cpuToFloor, goal.cpuToFloor, ratio)]
  const ofEdit = [
    goalText(editWallSeconds, goal.editWallSeconds, (value) => `${seconds(value)} s`),
    goalText(editCpuShare, goal.editCpuShare, formatPercent),
  ]
  const { segments, reused } = editReuse
  const edited = `one word of it edited, ${reused} of ${segments} segments reused`
  return [
    ['floor', seconds(floor.wallSeconds), seconds(floor.cpuSeconds), ''],
    [
      'video of 30 s',
      `${seconds(film.wallSeconds)} (${ratio(wallToFloor)} the floor)`,
      `${seconds(film.cpuSeconds)} (${ratio(cpuToFloor)})`,
      toFloor.join('; '),
    ],
    ['video of 60 s, no stored segments', seconds(cold.wallSeconds), seconds(cold.cpuSeconds), ''],
    [
      edited,
      seconds(editWallSeconds),
      `${seconds(edit.cpuSeconds)} (${formatPercent(editCpuShare, 1)})`,
      ofEdit.join('; '),
    ],
    [
      'peak memory of all processes',
      '',
      `${formatNumber(peakMegabytes)} MB`,
      goalText(peakMegabytes, goal.peakMegabytes, unitFormatter('MB')),
    ],
  ]
}

function sameness({ editIsIdentical, sameBytesWithThreads }: Figures['render']): string {
  const edit = editIsIdentical
    ? 'The edited render was identical to a cold render, frame for frame'
    : '**the edited render differed from a cold render**'
  const threads =
    sameBytesWithThreads.length > 0
      ? `renders with ${new Intl.ListFormat('en-GB').format(sameBytesWithThreads.map(String))} threads were identical, byte for byte`
      : '**renders with other numbers of threads differed**'
  return `${edit}, and ${threads}.`
}

export const laneSection: Section<'lane'> = {
  title: 'CPU time of a frame: `npm run bench:lane`',
  name: 'lane',
  about: `From these figures [lane.ts](../../lib/render/segments/lane.ts) estimates the CPU time of a render, which decides between one function, several and a
task ([decision 43](../decisions/0043-lanes.md)); \`npm run bench:lane -- keep\` writes them, rounded, to
[lane-factors.json](../../lib/render/segments/lane-factors.json). Videos of two lengths are rendered, each in a separate process, with captions: the
difference is the time of their frames, the rest that of the start. The clips have the size and the frame rate of the render.`,
  body: ({ startSeconds, stillFrameSeconds, clipFrameSeconds }) => {
    const ms = (value: number) => `${formatNumber(value * 1000, 1)} ms`
    const rows = [
      ['start, sound, thumbnail and join', `${formatNumber(startSeconds, 2)} s`],
      ['a frame of a still, 1080x1920', ms(stillFrameSeconds)],
      ['a frame of a clip, 1080x1920', ms(clipFrameSeconds)],
    ]
    return [markdownTable(['', 'CPU time'], rows)]
  },
}

export const editSection: Section<'edits'> = {
  title: 'An edit: `npm run bench:edits`',
  name: 'edits',
  about: `One word of a rendered video of one minute is replaced on the local run. The time begins with the request and ends when the video is ready; the
service, its emulators and the renderer share the machine. Then ten workspaces do the same at once, each with a video of its own.`,
  body: ({ seconds: single, together }) => {
    const rows = [
      ['one edit', seconds(single), goalText(single, goals.edits.seconds, seconds)],
      [
        `${together.edits} at once, the last one`,
        seconds(together.seconds),
        goalText(together.seconds, goals.edits.together, seconds),
      ],
    ]
    return [markdownTable(['', 's', 'goal'], rows)]
  },
}

export const remotionSection: Section<'remotion'> = {
  title: 'Against Remotion',
  name: 'remotion',
  about: `[bench/remotion](../../bench/remotion/README.md) renders the same video with Remotion 4.0.529 and chromium-headless-shell, alternating with ours,
start-up of all processes included. Parents do not wait for a browser's processes, so their CPU time is sampled from outside, ten times a
second.`,
  body: ({ ours, defaults, best }) => {
    const row = (name: string, taken: typeof ours, goal: { least: number }) => {
      const wall = taken.wallSeconds / ours.wallSeconds
      const cpu = taken.cpuSeconds / ours.cpuSeconds
      const against = `${formatNumber(wall, 1)} x, ${formatNumber(cpu, 1)} x`
      const target = goalText(Math.min(wall, cpu), goal, times(0))
      return [name, seconds(taken.wallSeconds), seconds(taken.cpuSeconds), against, target]
    }
    const rows = [
      ['ours', seconds(ours.wallSeconds), seconds(ours.cpuSeconds), '', ''],
      row('Remotion, default settings', defaults, goals.remotion.defaults),
      row('Remotion, fastest settings (superfast, crf 21, one tab per core)', best, goals.remotion.best),
    ]
    return [markdownTable(['', 'wall s', 'CPU s', 'relative to ours', 'goal'], rows)]
  },
}

export const generationSection: Section<'generate'> = {
  title: 'Generation: `npm run bench:generate`',
  name: 'generate',
  about: `A brief with a text of one minute is generated by the built-in providers in the local run, in 9:16, without a render. Stages are distinguished by the
progress of the job, polled 50 times a second. **The floor** is the same narration and the same pictures made in one process without the service,
in the same round.`,
  body: (figures) => {
    const rows = (['ai_image', 'mixed', 'stock_footage'] as const).map((style) => {
      const { seconds: taken, floor, pictures } = figures[style]
      const target = goalText(taken, goals.generate.seconds, unitFormatter('s'))
      return [`\`${style}\``, formatNumber(pictures), seconds(taken), seconds(floor.seconds), target]
    })
    return [
      markdownTable(['pictures', 'shots', 's', 'floor s', 'goal, on two cores'], rows),
      `Footage takes nearly all of the time of a brief that uses it: the footage of a minute, in pieces of 4.5 s, takes 13.7 s of CPU. It took 18.0 s while
every opaque pixel of a moving layer was blended with its neighbour; most have one colour and are now copied. x264 takes more than half of the
rest. Its \`ultrafast\` preset is slower on such pictures than \`superfast\`, because it writes three to five times as many bytes. The quality check of
a picture takes 20 ms (footage) to 80 ms (a still of 3 megapixels), the check of a narration 1 ms per second.`,
    ]
  },
}

export const scriptSection: Section<'script'> = {
  title: 'Scripts by a local model: `npm run bench:script`',
  name: 'script',
  about: `A brief whose script is written by a stand-in for Ollama, which takes a fixed time, on the local run. What is measured begins with the request, ends
when the voice begins, and leaves out the time of the model.`,
  body: ({ briefs, modelMs, p50Ms, p99Ms, requests }) => {
    const ms = unitFormatter('ms')
    const rows = [
      ['50th percentile', ms(p50Ms), goalText(p50Ms, goals.script.p50Ms, ms)],
      ['99th percentile', ms(p99Ms), ''],
      ['requests to the server', formatNumber(requests), goalText(requests, { most: 1 }, formatNumber)],
    ]
    return [markdownTable([`${briefs} briefs, a model of ${modelMs} ms`, 'measured', 'goal'], rows)]
  },
}

export const previewSection: Section<'preview'> = {
  title: 'Preview in the studio: `npm run bench:preview`',
  name: 'preview',
  about: `A video of 12 s at 540x960 in a headless Chromium without a GPU: stills and H.264 clips of 1080x1920 by turns, captions with an effect for
every word, and music. Then the first page of the console from the local run, each time in a new browser profile.

Tests hold the other figures: drawn frames have the bytes of the renderer, stills and clips are at least 50 and 40 dB close to it
([preview.test.ts](../../test/studio/preview.test.ts)); 10,000 videos scroll in a document of constant size, and axe finds no violation
([pages.test.ts](../../test/studio/console/pages.test.ts), [editor.test.ts](../../test/studio/editor/editor.test.ts)).`,
  body: ({ framesPerSecond, editMs, firstFrameMs, initialBytes, firstContentMs }) => [
    markdownTable(
      ['', 'measured', 'goal'],
      [
        [
          'frames a second while it plays, of 30',
          formatNumber(framesPerSecond, 1),
          goalText(framesPerSecond, goals.preview.framesPerSecond, formatNumber),
        ],
        [
          'from an edited word to the frame that shows it',
          `${formatNumber(editMs)} ms`,
          goalText(editMs, goals.preview.editMs, unitFormatter('ms')),
        ],
        ['from opening to the first frame', `${formatNumber(firstFrameMs)} ms`, ''],
        [
          'first content of the console',
          `${formatNumber(firstContentMs)} ms`,
          goalText(firstContentMs, goals.preview.firstContentMs, unitFormatter('ms')),
        ],
        [
          'console, compressed, before the editor opens',
          `${formatNumber(initialBytes / 1000)} KB`,
          goalText(initialBytes / 1000, { most: goals.preview.initialBytes.most / 1000 }, unitFormatter('KB')),
        ],
      ],
    ),
  ],
}

export const uploadSection: Section<'upload'> = {
  title: 'Uploads: `npm run bench:upload`',
  name: 'upload',
  about: `The step of a posting that uploads a video of 100 MB in one request, bundled and started as in a deployment, with storage and platform on
the same machine.`,
  body: ({ megabytes, bareMegabytes }) => [
    markdownTable(
      ['', 'measured', 'goal'],
      [
        [
          'peak memory of the step',
          `${formatNumber(megabytes)} MB, of which an empty process uses ${formatNumber(bareMegabytes)}`,
          goalText(megabytes, goals.upload.megabytes, unitFormatter('MB')),
        ],
      ],
    ),
    `On a fully loaded machine, where the garbage collector's threads get little CPU time, it was up to 260 MB: the data in flight stays bounded
(\`test/platforms/shared/upload-memory.test.ts\`), but sent buffers are freed later.`,
  ],
}
