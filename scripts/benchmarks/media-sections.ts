/** What is told of rendering, generating and uploading. Whatever was measured comes from the results; the rest is written here. */
import { type Figures, goals } from '../../bench/figures.ts'
import { formatNumber, formatPercent, goalText, markdownTable, type Section, times, unitFormatter } from './markdown.ts'

const seconds = (value: number) => formatNumber(value, 1)

export const renderSection: Section<'render'> = {
  title: 'Rendering: `npm run bench:render`',
  name: 'render',
  about: `The film lasts 30 s: eight stills with about the detail of photographs, slow moves, crossfades of 12 frames, 33 pages of captions, a
voice; 1080x1920 at 30 frames a second, about 8 MB ([bench/render/reference.ts](../../bench/render/reference.ts) makes it of fixed numbers). **The
floor** is x264 alone with the same frames, captions included, and the same settings: raw files in memory, one process with one thread for
each core. Every render is a process of its own, its start included; CPU time is that of all its processes. The edit is one word of a film of
60 s whose segments are kept.`,
  body: (figures) => [
    markdownTable(['', 'wall s', 'CPU s', 'goal'], renderRows(figures)),
    sameness(figures),
    `Where the CPU time above the floor goes, in a film of 30 s, by a profile of 21 November 2026: moves and crossfades 1.0 s (0.85 ms a frame
where nothing else runs, two rows at once with relaxed SIMD); captions 0.7 s, half of it to draw each word once and half to lay words over frames;
frames to ffmpeg 0.9 s; stills 0.4 s; sound 0.4 s; the joint and the thumbnail 0.3 s; starts of programs and threads 0.6 s (20 ms each ffmpeg). On
the other side ffmpeg needs 0.9 s less than the floor, which gives memory back and asks for it again with every frame. For 0.15 s before the first
frame and 0.1 s after the last one core has little to do; whichever thread has no segment left makes the sound and the thumbnail.`,
    'Measured on the way, for whoever would try it again:',
    `- Frames go to ffmpeg through the socket that Node makes of a child's standard input: 0.7 s for 600 frames at both ends. A named pipe took
  0.8 to 1.3 s, whatever its size (64 KB to 1 MB) and whether the writes waited or not.
- Segments of at most 60 frames cost 2 % more CPU than of 120, halve an edit, and make the file 5 % smaller; of 45, 6 % larger.
- V8 puts a constant vector together anew wherever it is used, three instructions each time: with constants that are read from memory, a frame
  takes 0.85 ms in place of 1.31 ms.
- Before it joins segments, ffmpeg decodes the beginning of each, only to learn its colours: 0.32 s for 16 of them, and 0.04 s where it may not.
- glibc gives blocks as large as a frame back and asks for them again, cleared. Segments are encoded with \`MALLOC_MMAP_THRESHOLD_\` of 4 MB (what
  is larger x264 asks for once), which saves 1.1 s of CPU. So would the floor with it: it is what ffmpeg
  takes as it is, and would be 6.0 s, of which the film is 1.4 times as much.
- Each encoder takes 190 MB, nearly all of it for the pictures that x264 keeps. To clear them takes 0.1 s, and 0.3 s on a virtual machine whose
  host has taken the memory back: that is why the same film differs by 5 % from one run to the next.
- An encoder that is started while the one before it still ends saves each segment 10 ms, and the film nothing that could be measured: 9.15 s
  in place of 9.19 s (median of eleven).
- Captions were drawn by libass once, in ffmpeg: 1.2 s of 900 frames to shape, stroke and fill what grows in each of them and to mix it in, and
  0.3 s to copy each frame, since ffmpeg holds on to the packet that it lies in.
- Threads that are started before it is known what they shall draw save nothing: programs and threads of the beginning share two cores.
- A \`rc-lookahead\` of 5 in place of 10 takes 20 % less memory, and 10 % more bytes for the same likeness (SSIM).
- ffmpeg 4 ends with success where the last bytes of a file found no room on the disk, and writes empty pictures there without a word.`,
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
  const edited = `one word edited in it, ${reused} of ${segments} segments reused`
  return [
    ['floor', seconds(floor.wallSeconds), seconds(floor.cpuSeconds), ''],
    [
      'film of 30 s',
      `${seconds(film.wallSeconds)} (${ratio(wallToFloor)} the floor)`,
      `${seconds(film.cpuSeconds)} (${ratio(cpuToFloor)})`,
      toFloor.join('; '),
    ],
    ['film of 60 s, nothing kept', seconds(cold.wallSeconds), seconds(cold.cpuSeconds), ''],
    [
      edited,
      seconds(editWallSeconds),
      `${seconds(edit.cpuSeconds)} (${formatPercent(editCpuShare, 1)})`,
      ofEdit.join('; '),
    ],
    [
      'memory of all processes of the film together, at most',
      '',
      `${formatNumber(peakMegabytes)} MB`,
      goalText(peakMegabytes, goal.peakMegabytes, unitFormatter('MB')),
    ],
  ]
}

function sameness({ editIsIdentical, sameBytesWithThreads }: Figures['render']): string {
  const edit = editIsIdentical
    ? 'The edited film was frame for frame that of a cold render'
    : '**The edited film was not that of a cold render**'
  const threads =
    sameBytesWithThreads.length > 0
      ? `films with ${new Intl.ListFormat('en-GB').format(sameBytesWithThreads.map(String))} threads were the same bytes`
      : '**films with other numbers of threads were other bytes**'
  return `${edit}, and ${threads}.`
}

export const remotionSection: Section<'remotion'> = {
  title: 'Against Remotion',
  name: 'remotion',
  about: `[bench/remotion](../../bench/remotion/README.md) renders the same film with Remotion 4.0.529 and chromium-headless-shell, in turns with ours;
starts of all programs included. A browser's processes are not waited for by their parents, so their time is read from outside, ten times a
second.`,
  body: ({ ours, defaults, best }) => {
    const row = (name: string, taken: typeof ours, goal: { least: number }) => {
      const wall = taken.wallSeconds / ours.wallSeconds
      const cpu = taken.cpuSeconds / ours.cpuSeconds
      const against = `${formatNumber(wall, 1)} x, ${formatNumber(cpu, 1)} x`
      const wish = goalText(Math.min(wall, cpu), goal, times(0))
      return [name, seconds(taken.wallSeconds), seconds(taken.cpuSeconds), against, wish]
    }
    const rows = [
      ['ours', seconds(ours.wallSeconds), seconds(ours.cpuSeconds), '', ''],
      row('Remotion, its defaults', defaults, goals.remotion.defaults),
      row('Remotion, its best settings (superfast, crf 21, a tab for each core)', best, goals.remotion.best),
    ]
    return [markdownTable(['', 'wall s', 'CPU s', 'against ours', 'goal'], rows)]
  },
}

export const generationSection: Section<'generate'> = {
  title: 'Generation: `npm run bench:generate`',
  name: 'generate',
  about: `A brief with a text of a minute is generated by the built-in makers on the local run, and not rendered: 9:16. The stages are told apart by
the progress that the job tells, which is asked for 50 times a second. **The floor** is the same text spoken and the same pictures made in one
process, without a service around them, in the same round.`,
  body: (figures) => {
    const rows = (['ai_image', 'mixed', 'stock_footage'] as const).map((style) => {
      const { seconds: taken, floor, pictures } = figures[style]
      const wish = goalText(taken, goals.generate.seconds, unitFormatter('s'))
      return [`\`${style}\``, formatNumber(pictures), seconds(taken), seconds(floor.seconds), wish]
    })
    return [
      markdownTable(['pictures', 'shots', 's', 'floor s', 'goal, on two cores'], rows),
      `Footage takes nearly all of the time of a brief that asks for it: a minute's clips, of 4.5 s each, take 13.7 s of CPU, and took 18.0 s while
every opaque pixel of a moving layer was mixed with its neighbour; most of them are of one colour, and are copied. x264 takes more than half of
the rest. Its \`ultrafast\` is slower on such pictures than \`superfast\`, since it writes three to five times as much. A look at a picture before
it is kept takes 20 ms (a clip) to 80 ms (a still of 3 megapixels), a look at a narration 1 ms for a second of it.`,
    ]
  },
}

export const uploadSection: Section<'upload'> = {
  title: 'Uploads: `npm run bench:upload`',
  name: 'upload',
  about: `The step of a posting that uploads a film of 100 MB in one request, bundled and started as it is deployed, between storage and a platform on
the same machine.`,
  body: ({ megabytes, bareMegabytes }) => [
    markdownTable(
      ['', 'measured', 'goal'],
      [
        [
          'memory of the step, at most',
          `${formatNumber(megabytes)} MB, of which a bare process has ${formatNumber(bareMegabytes)}`,
          goalText(megabytes, goals.upload.megabytes, unitFormatter('MB')),
        ],
      ],
    ),
    `On a machine that has no time left for the collector's threads it was up to 260 MB: what is on its way stays bounded
(\`test/platforms/shared/upload-memory.test.ts\`), but what was sent is given back later.`,
  ],
}
