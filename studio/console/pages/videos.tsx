/** All videos: a grid with search, filters and live progress. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page as ListPage, ListVideosQuery, VideoItem } from '../../../packages/client/index.js'
import { Badge, Empty, Loaded, Page, Progress } from '../components.tsx'
import { formatDuration, formatRelativeShort, plural } from '../format.ts'
import { isBusy, kindText, progressOf, statusText, statusTone } from '../labels.ts'
import { busyMs, idleMs, useQuery } from '../queries.ts'
import { address, setParameters } from '../router.ts'
import { type Cell, pageSize, VirtualGrid } from '../virtual-grid.tsx'

type Filters = Pick<ListVideosQuery, 'search' | 'status' | 'type' | 'subType'>

const kinds: Record<string, Pick<Filters, 'type' | 'subType'>> = {
  presentation: { type: 'faceless', subType: 'presentation' },
  faceless: { type: 'faceless' },
  ai: { type: 'ai' },
  ugc: { type: 'ai', subType: 'ugc' },
  video: { type: 'video' },
}
const searchDelayMs = 200

function filtersOf(parameters: URLSearchParams): Filters {
  const [search, status, kind] = ['search', 'status', 'kind'].map((name) => parameters.get(name) ?? '')
  return {
    ...(search && { search }),
    ...(status && { status: status as NonNullable<Filters['status']> }),
    ...kinds[kind!],
  }
}

const interval = ({ data }: ListPage<VideoItem>) => (data.some(isBusy) ? busyMs : idleMs)

const usePage = (filters: Filters, index: number) =>
  useQuery(
    `videos ${JSON.stringify(filters)} ${index}`,
    (client, options) => client.videos.list({ ...filters, limit: pageSize, offset: index * pageSize }, options),
    interval,
  )

export function Videos() {
  const parameters = address.value.searchParams
  const filters = filtersOf(parameters)
  const first = usePage(filters, 0)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page
      title="Videos"
      actions={
        <a class="button primary" href="/videos/new">
          New video
        </a>
      }
    >
      <div class="filters">
        <Search />
        <FilterSelect name="status" label="Status" options={[['', 'Every status'], ...Object.entries(statusText)]} />
        <FilterSelect
          name="kind"
          label="Kind"
          options={[
            ['', 'Every kind'],
            ['faceless', 'Faceless'],
            ['presentation', 'Presentation'],
            ['ai', 'Scenes'],
            ['ugc', 'To the camera'],
            ['video', 'Own video'],
          ]}
        />
      </div>
      <Loaded query={first} name="videos">
        {({ paging: { total } }) =>
          total > 0 ? (
            <>
              <p class="muted count" role="status">
                {plural(total, 'video')}
              </p>
              <VirtualGrid
                total={total}
                label="Videos"
                columnWidthMin={150}
                itemHeight={(width) => width * 1.5 + 96}
                page={(index, cells) => (
                  <Cards key={index} filters={filters} index={index} cells={cells} total={total} />
                )}
              />
            </>
          ) : isFiltered ? (
            <Empty title="No video matches">
              <button type="button" onClick={() => setParameters({ search: '', status: '', kind: '' })}>
                Clear search and filters
              </button>
            </Empty>
          ) : (
            <Empty title="No videos yet">
              <p>Write down an idea. The service writes the script, speaks it, finds pictures and renders the video.</p>
              <a class="button primary" href="/videos/new">
                Make the first video
              </a>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

function Search() {
  const stored = address.value.searchParams.get('search') ?? ''
  const [text, setText] = useState(stored)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(stored), [stored])
  return (
    <input
      type="search"
      class="search"
      placeholder="Search titles"
      aria-label="Search titles"
      maxLength={100}
      value={text}
      onInput={({ currentTarget: { value } }) => {
        setText(value)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setParameters({ search: value.trim() }), searchDelayMs)
      }}
    />
  )
}

interface FilterSelectProps {
  name: string
  label: string
  options: (readonly [value: string, text: string])[]
}
function FilterSelect({ name, label, options }: FilterSelectProps) {
  const value = address.value.searchParams.get(name) ?? ''
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value })}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Cards({ filters, index, cells, total }: { filters: Filters; index: number; cells: Cell[]; total: number }) {
  const { data } = usePage(filters, index)
  return (
    <>
      {cells.map((cell) => {
        const video = data?.data[cell.index - index * pageSize]
        return (
          <li key={cell.index} style={cell.style} aria-posinset={cell.index + 1} aria-setsize={total}>
            {video ? <VideoCard video={video} /> : <div class="card skeleton" />}
          </li>
        )
      })}
    </>
  )
}

export function VideoCard({ video }: { video: VideoItem }) {
  const { id, title, status, media, durationSeconds, updatedAt, brief } = video
  const progress = progressOf(video)
  return (
    <a class="card" href={`/videos/${id}`}>
      <div class="thumb">
        {media.thumbnailUrl ? (
          <img
            src={media.thumbnailUrl}
            alt=""
            loading="lazy"
            decoding="async"
            class={brief.aspectRatio === '9:16' ? 'cover' : undefined}
          />
        ) : (
          <span class="no-picture" aria-hidden="true">
            {status === 'failed' ? '!' : '▶'}
          </span>
        )}
        <Badge tone={statusTone[status]}>{progress ? `${progress.value} %` : statusText[status]}</Badge>
        {durationSeconds !== null && <span class="length">{formatDuration(durationSeconds)}</span>}
        {progress && <Progress value={progress.value} label={progress.text} />}
      </div>
      <strong class="title">{title}</strong>
      <span class="meta muted">
        {kindText(video)} · {formatRelativeShort(updatedAt)}
      </span>
    </a>
  )
}
