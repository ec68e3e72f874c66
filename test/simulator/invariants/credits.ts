/** Balances, and the settlement of what runs have reserved. */
import { differs, type Facts, type LedgerEntry, sum } from './facts.ts'

export function balances({ workspaces, records, ledger }: Facts): string[] {
  return workspaces.flatMap(({ id, creditsAtStart, avatarCreditsAtStart }) => {
    const record = records.get(id)!
    const entries = ledger(id).filter(({ metered }) => metered)
    const total = (kind: LedgerEntry['kind'], unit: LedgerEntry['unit']) =>
      sum(entries.filter((one) => one.kind === kind && one.unit === unit).map(({ credits }) => credits))
    const balance = (unit: LedgerEntry['unit']) =>
      total('grant', unit) + total('release', unit) - total('reserve', unit)
    return [
      ...differs(`The balance of ${id}`, record.creditsBalance, creditsAtStart + balance('video')),
      ...differs(`The avatar balance of ${id}`, record.avatarCreditsBalance, avatarCreditsAtStart + balance('avatar')),
      ...differs(
        `The reserved credits of ${id}`,
        record.creditsReserved,
        total('reserve', 'video') - total('release', 'video') - total('capture', 'video'),
      ),
      ...(record.avatarCreditsBalance < 0 ? [`The avatar balance of ${id} is ${record.avatarCreditsBalance}.`] : []),
      ...(record.creditsBalance < 0 ? [`The balance of ${id} is ${record.creditsBalance}.`] : []),
    ]
  })
}

export function settledRuns({ workspaces, ledger, isOver }: Facts): string[] {
  if (!isOver) return []
  return workspaces.flatMap(({ id }) => {
    const runs = Map.groupBy(
      ledger(id).filter(({ kind }) => kind !== 'grant'),
      ({ runId }) => runId,
    )
    return [...runs].flatMap(([runId, entries]) => {
      const reserved = sum(entries.filter(({ kind }) => kind === 'reserve').map(({ credits }) => credits))
      const settled = sum(entries.filter(({ kind }) => kind !== 'reserve').map(({ credits }) => credits))
      return differs(`What was captured and released of the run ${runId}`, settled, reserved)
    })
  })
}

/** A generation or a sync job that is complete is paid, and a generation that failed is not. */
export function paidAsEnded({ world: { monitor }, ledger }: Facts): string[] {
  const unpaid = [...monitor.completedJobs].flatMap(([runId, workspaceId]) =>
    ledger(workspaceId).some((one) => one.runId === runId && one.kind === 'release')
      ? [`The sync job ${runId} is complete, and has a release in the ledger.`]
      : [],
  )
  const wronglyPaid = [...monitor.ended.values()].flatMap(({ kind, runId, workspaceId, status }) => {
    const wrong = status === 'COMPLETED' ? 'release' : 'capture'
    const entry = ledger(workspaceId).find((one) => one.runId === runId && one.kind === wrong)
    return kind === 'process' && entry ? [`The run ${runId} ended ${status}, and has a ${wrong} in the ledger.`] : []
  })
  return [...unpaid, ...wronglyPaid]
}
