/** Caches the results of a pure function by its argument, without limit: for small sets of keys within one task. */
export function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>()
  return (key) => {
    if (!cache.has(key)) cache.set(key, compute(key))
    return cache.get(key)!
  }
}
