/** Which methods the route table allows on a path. */
import { describe, expect, it } from 'vitest'
import { allowedMethods } from '../../lib/contract/match-path.ts'

describe('the methods of a path', () => {
  it.each([
    ['/v1/', ['GET']],
    ['/v1', ['GET']],
    ['/v1/videos', ['GET', 'POST']],
    ['/v1/videos/vid_1', ['DELETE', 'GET', 'PATCH']],
    ['/v1/videos/vid_1/render', ['POST']],
    ['/v1/voices', ['GET']],
    ['/v1/webhooks/deliveries', ['GET']],
  ])('%s allows %j', (path, methods) => {
    expect(allowedMethods(path).toSorted()).toEqual(methods)
  })

  it.each(['/', '/v2/videos', '/videos', '/v1/nothing', '/v1/videos/vid_1/render/now'])('%s has no route', (path) => {
    expect(allowedMethods(path)).toEqual([])
  })
})
