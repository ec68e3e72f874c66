/** Searches of collections of pictures and clips, which limit how many an account or an address may make. */
import * as v from 'valibot'
import { callVendor, type Vendor } from './vendor.ts'

/** Caches search responses for a day. */
export interface SearchCache {
  find(search: string): Promise<string | undefined>
  put(search: string, response: string): Promise<void>
}

/** The response of a search, from the cache if there is one. Throws as `callVendor`. */
export async function searchOnce<Schema extends v.GenericSchema>(
  vendor: Vendor,
  path: string,
  schema: Schema,
  { searches, signal }: { searches?: SearchCache | undefined; signal?: AbortSignal | undefined },
): Promise<v.InferOutput<Schema>> {
  const key = vendor.url + path
  const cached = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await searches?.find(key))
  if (cached.success) return cached.output
  const response = await callVendor(vendor, { path, ...(signal && { signal }) }, schema)
  await searches?.put(key, JSON.stringify(response))
  return response
}
