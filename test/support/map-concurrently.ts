/** Does something with each of many items, a few at a time, and gives the results in their order. */
export async function mapConcurrently<Item, Result>(
  workers: number,
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const work = async () => {
    for (const [index, item] of waiting) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: workers }, work))
  return results
}
