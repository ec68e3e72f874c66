/** Maps that hold a limited number of entries: what an instance remembers between its requests. */

/** Sets a value as the newest; beyond `sizeMax` entries, the one that was set the longest time ago is deleted. */
export function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, sizeMax: number): void {
  // Maps iterate in the order of insertion.
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > sizeMax) map.delete(oldest!)
}
