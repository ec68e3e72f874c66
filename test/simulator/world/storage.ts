/** S3 in memory. */
import { PortFailure } from './failure.ts'

interface StoredObject {
  body: Buffer
  contentType: string
}

interface ObjectInput {
  Key: string
  Body?: Uint8Array | string
  ContentType?: string
  IfNoneMatch?: string
  Range?: string
  Prefix?: string
  Delete?: { Objects: { Key: string }[] }
}

export type Storage = ReturnType<typeof createStorage>

/** `partOf` says how many of so many deletions in one request are done. */
/** Objects that are replaced: counts of refused takes, and what belongs to no video. */
const mutable = /\.refused\.json$|\/library\/|^-\//

export function createStorage(partOf: (entries: number) => number) {
  const objects = new Map<string, StoredObject>()
  /** Keys of objects that were replaced by other bytes. */
  const replaced = new Set<string>()

  const get = (key: string, missing: string): StoredObject => {
    const found = objects.get(key)
    if (!found) throw new PortFailure(missing, 'The specified key does not exist.')
    return found
  }

  return {
    objects,
    replaced,
    operations: {
      PutObject: ({ Key, Body = '', ContentType = '', IfNoneMatch }: ObjectInput) => {
        if (IfNoneMatch && objects.has(Key)) throw new PortFailure('PreconditionFailed', 'The object exists.')
        const before = objects.get(Key)
        if (before && !mutable.test(Key) && !before.body.equals(Buffer.from(Body as Uint8Array))) replaced.add(Key)
        objects.set(Key, { body: Buffer.from(Body as Uint8Array), contentType: ContentType })
        return {}
      },
      GetObject: ({ Key, Range }: ObjectInput) => {
        const { body, contentType } = get(Key, 'NoSuchKey')
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(Range ?? '') ?? []
        const part = from === undefined ? body : body.subarray(Number(from), Number(to) + 1)
        return { Body: part, ContentLength: part.byteLength, ContentType: contentType }
      },
      HeadObject: ({ Key }: ObjectInput) => {
        const { body, contentType } = get(Key, 'NotFound')
        return { ContentLength: body.byteLength, ContentType: contentType }
      },
      DeleteObject: ({ Key }: ObjectInput) => {
        objects.delete(Key)
        return {}
      },
      DeleteObjects: (input: ObjectInput) => {
        const { Objects } = input.Delete!
        const done = Objects.slice(0, partOf(Objects.length))
        for (const { Key } of done) objects.delete(Key)
        const Errors = Objects.slice(done.length).map(({ Key }) => ({
          Key,
          Code: 'InternalError',
          Message: 'Try again.',
        }))
        return Errors.length > 0 ? { Errors } : {}
      },
      ListObjectsV2: ({ Prefix = '' }: ObjectInput) => ({
        Contents: [...objects.keys()]
          .filter((key) => key.startsWith(Prefix))
          .slice(0, 1000)
          .map((Key) => ({ Key })),
      }),
    },
  }
}
