/**
 * One-line changes of production code, each of which breaks a promise. The simulator has to notice every one of them:
 * a mutant that survives is a gap in the simulator, not in the service.
 */
import type { Mutation } from './bundle.ts'

export interface Mutant extends Mutation {
  /** What the change does, and the promise that it breaks. */
  breaks: string
}

const commit = 'lib/store/core/commit.ts'
const workspaceUpdate = 'lib/store/core/workspace-update.ts'
const outbox = 'lib/store/core/outbox.ts'
const rows = 'lib/store/core/rows.ts'
const storage = 'lib/store/storage-usage.ts'
const jobs = 'lib/domain/videos/job-transitions.ts'
const completions = 'lib/domain/videos/complete-job.ts'
const runPermits = 'lib/store/run-permits.ts'
const syncJobs = 'lib/domain/videos/sync-job-transitions.ts'
const attempts = 'lib/domain/webhooks/delivery-attempts.ts'
const stalled = 'lib/use-cases/recovery/recover-stalled.ts'
const purge = 'lib/use-cases/videos/purge-video.ts'
const runs = 'lib/use-cases/videos/start-runs.ts'

export const mutants: readonly Mutant[] = [
  {
    file: commit,
    from: '    ...(response ? [idempotencyPut(response)] : []),',
    to: '',
    breaks: 'I3: the response of an idempotency key is not stored.',
  },
  {
    file: commit,
    from: '      ...events.map((event, index) => eventRow(workspaceId, event, numbers[index]!, dueFrom)),',
    to: '',
    breaks: 'I6: no event is written.',
  },
  {
    file: commit,
    from: '      ConditionExpression: `#${guard} = :seen`,',
    to: "      ConditionExpression: 'attribute_exists(pk)',",
    breaks: 'I4: a decision on an old version of a record is written.',
  },
  {
    file: commit,
    from: "        ConditionExpression: 'storedBytes = :bytes AND clips = :clips',",
    to: "        ConditionExpression: '(storedBytes = :bytes OR attribute_exists(pk)) AND clips = :clips',",
    breaks: 'I9: a video is removed with other bytes than it has.',
  },
  {
    file: commit,
    from: '      throw new WriteConflict(`A commit in workspace',
    to: '      return void (`A commit in workspace',
    breaks: 'I2: a failed transaction counts as done.',
  },
  {
    file: commit,
    from: '      ...decision.charges.map((charge) => ledgerRow(workspaceId, charge, at)),',
    to: '',
    breaks: 'I1: charges are not in the ledger.',
  },
  {
    file: commit,
    from: '    ...workspaceUpdate(decision),',
    to: '',
    breaks: 'I1: charges do not change the balance.',
  },
  {
    file: commit,
    from: '    ...releaseRows(decision, dueFrom).map(put),',
    to: '',
    breaks: 'I19: the permits of ended runs are not released.',
  },
  {
    file: workspaceUpdate,
    from: "  parts.add('creditsReserved', video.reserved)",
    to: '',
    breaks: 'I1: reserved credits are not counted.',
  },
  {
    file: workspaceUpdate,
    from: "  parts.add('creditsBalance', video.more)\n  parts.add('creditsGranted', video.granted)",
    to: "  parts.add('creditsGranted', video.granted)",
    breaks: 'I1: the balance is not charged.',
  },
  {
    file: workspaceUpdate,
    from: "  parts.add('uploadsWaiting', more)",
    to: '',
    breaks: 'I19: waiting uploads are not counted.',
  },
  {
    file: workspaceUpdate,
    from: "  parts.add('automationsUsed', more)",
    to: '',
    breaks: 'I19: automations are not counted.',
  },
  {
    file: workspaceUpdate,
    from: "  parts.add('storageUsedBytes', more)",
    to: '',
    breaks: 'I9: the bytes of a removed video are not returned.',
  },
  {
    file: workspaceUpdate,
    from: '    if (to) moves.set(to, (moves.get(to) ?? 0) + 1)',
    to: '',
    breaks: 'I19: videos are not counted by their status.',
  },
  {
    file: outbox,
    from: '  ...redispatchKeys(event.id, at),',
    to: '',
    breaks: 'I6: an event whose stream record is lost is lost.',
  },
  {
    file: outbox,
    from: '  ...redispatchKeys(runIds[0]!, at),',
    to: '',
    breaks: 'I19: a release whose stream record is lost is lost.',
  },
  {
    file: rows,
    from: '    ...dueKeys(video.dueAt, video.id),',
    to: '',
    breaks: 'I5: a lost run is not found.',
  },
  {
    file: rows,
    from: "  ...dueKeys(delivery.dueAt, delivery.id, 'deliveries'),",
    to: '',
    breaks: 'I5: a lost delivery is not found.',
  },
  {
    file: storage,
    from: "    ConditionExpression: 'attribute_not_exists(pk)',",
    to: '',
    breaks: 'I9: an object that is stored again is counted again.',
  },
  {
    file: storage,
    from: 'changeCounters(workspace.id, videoId, -bytes, undefined, deletions)',
    to: 'changeCounters(workspace.id, videoId, bytes, undefined, deletions)',
    breaks: 'I9: released bytes are counted a second time.',
  },
  {
    file: 'lib/use-cases/artefacts/store-artefact.ts',
    from: '  await countObject(owner, artefactName(owner, key), body.byteLength)\n  await putObject(key, body, contentType)',
    to: '  await putObject(key, body, contentType)\n  await countObject(owner, artefactName(owner, key), body.byteLength)',
    breaks: 'I9: an object is stored before it is counted.',
  },
  {
    file: 'lib/store/idempotency.ts',
    from: '      ConditionExpression: `attribute_not_exists(pk) OR ${ttlAttribute} <= :now`,',
    to: '',
    breaks: 'I3: two requests with one key both take effect.',
  },
  {
    file: 'lib/store/idempotency.ts',
    from: '.update(JSON.stringify([method, path, key]))',
    to: '.update(JSON.stringify([method, path]))',
    breaks: 'I3: another key gets the response of the first one.',
  },
  {
    file: 'lib/use-cases/outbox/dispatch-outbox.ts',
    from: '  await performOnce(row)\n  await deleteOutboxRow(key)',
    to: '  await deleteOutboxRow(key)\n  await performOnce(row)',
    breaks: 'I19: an effect is lost where its worker crashes.',
  },
  {
    file: 'lib/use-cases/webhooks/fan-out-event.ts',
    from: '    if (isNew || ownIds.has(row.event.id))',
    to: '    if (isNew)',
    breaks: 'I5: an event that a crashed worker entered is never announced.',
  },
  {
    file: 'lib/use-cases/webhooks/fan-out-event.ts',
    from: 'filter(({ sequence }) => sequence <= newest)',
    to: 'filter(({ event }) => ownIds.has(event.id))',
    breaks: 'I6: an event enters the journal before its cause.',
  },
  {
    file: 'lib/store/event-journal.ts',
    from: '          insert(journalRow(entry)),',
    to: '          { Put: { TableName: tableName(), Item: journalRow(entry) } },',
    breaks: 'I6: an event enters the journal a second time.',
  },
  {
    file: 'lib/store/deliveries.ts',
    from: ' AND (leaseUntil = :none OR leaseUntil < :now)',
    to: '',
    breaks: 'I8: two workers send a delivery at once.',
  },
  {
    file: 'lib/store/deliveries.ts',
    from: 'nextAttemptAt <= :soon AND ',
    to: '',
    breaks: 'I8: a duplicate of a message is an early attempt.',
  },
  {
    file: attempts,
    from: '  const attempts = before.attempts + 1',
    to: '  const attempts = before.attempts',
    breaks: 'I7: attempts are not counted.',
  },
  {
    file: attempts,
    from: '  const delay = 4 ** attempts * (0.9 + 0.2 * jitter)',
    to: '  const delay = 0.1 * jitter',
    breaks: 'I8: a failed attempt is repeated at once.',
  },
  {
    file: attempts,
    from: '  const decision = deliveryDecision(before, delivery, now)',
    to: '  const decision = deliveryDecision(before, { ...delivery, payload: `${delivery.payload} ` }, now)',
    breaks: 'I7: the next attempt has another body.',
  },
  {
    file: 'lib/domain/webhooks/webhook-lifecycle.ts',
    from: '    return withFields(before, { failureCount: 0, lastDeliveryAt: now, acknowledgedHost: receiverHost(url) })',
    to: '    return withFields(before, { lastDeliveryAt: now, acknowledgedHost: receiverHost(url) })',
    breaks: 'I12: a success does not end the count of failures.',
  },
  {
    file: 'lib/domain/webhooks/webhook-lifecycle.ts',
    from: '  const failureCount = before.failureCount + 1',
    to: '  const failureCount = before.failureCount',
    breaks: 'I12: failures are not counted.',
  },
  {
    file: jobs,
    from: "    charges: chargesOf('release', process),",
    to: '    charges: [],',
    breaks: 'I2: the credits of a failed generation are kept.',
  },
  {
    file: jobs,
    from: '  if (!job || job.runId !== runId || !isOpen(job))',
    to: '  if (!job || job.runId !== runId)',
    breaks: 'I4: a run ends a second time.',
  },
  {
    file: jobs,
    from: '    ...(bought < reserved.credits || bought === 0 ? [{ ...reserved, credits: reserved.credits - bought }] : []),',
    to: '',
    breaks: 'I2: the credits of a removed video are kept.',
  },
  {
    file: completions,
    from: "    charges: chargesOf('capture', job),",
    to: '    charges: [],',
    breaks: 'I2: the credits of a generation stay reserved.',
  },
  {
    file: completions,
    from: "    events: [newEvent('video.render_completed', { video: after }, runId, now)],",
    to: '    events: [],',
    breaks: 'I6: the end of a render is not reported.',
  },
  {
    file: 'lib/domain/generation/script-job.ts',
    from: "charges: chargesOf('capture', job) }",
    to: 'charges: [] }',
    breaks: 'I2: the credits of a script stay reserved.',
  },
  {
    file: syncJobs,
    from: "    charges: [...decision.charges, syncJobCharge('capture', job)],",
    to: '    charges: decision.charges,',
    breaks: 'I2: the credits of a sync job stay reserved.',
  },
  {
    file: syncJobs,
    from: '    charges: [syncJobCharge(charge, job)],',
    to: '    charges: [],',
    breaks: 'I2: the credits of a failed sync job are kept.',
  },
  {
    file: runs,
    from: '  for (const runId of runIds) await releaseRunPermit(workspaceId, runId)',
    to: '',
    breaks: 'I19: permits are not released.',
  },
  {
    file: runPermits,
    from: "        ConditionExpression: 'attribute_not_exists(holders) OR size(holders) < :max OR contains(holders, :run)',",
    to: '',
    breaks: 'I19: more runs start than the plan allows.',
  },
  {
    file: stalled,
    from: "  if (state === 'ended') {\n    await failStalledJob(",
    to: "  if (state === 'never') {\n    await failStalledJob(",
    breaks: 'I5: a run whose execution was lost stays open.',
  },
  {
    file: stalled,
    from: "  if (delivery?.status !== 'pending') return",
    to: '  if (delivery) return',
    breaks: 'I5: a delivery whose message was lost stays pending.',
  },
  {
    file: stalled,
    from: "  if (job?.status !== 'RUNNING') return",
    to: '  if (job) return',
    breaks: 'I5: a sync job whose execution was lost stays open.',
  },
  {
    file: 'functions/workers/sweep.ts',
    from: 'key.sk.startsWith(outboxPrefix) ? dispatchOutboxRow(key) : recoverStalled(key)',
    to: 'recoverStalled(key)',
    breaks: 'I5: outbox rows whose stream records were lost are not dispatched.',
  },
  {
    file: purge,
    from: '  await Promise.all(deletions.map((deleteRows) => deleteRows(workspaceId, videoId)))',
    to: '',
    breaks: 'I10: rows of a deleted video are left.',
  },
  {
    file: purge,
    from: '  await deleteObjectsByPrefix(videoKeyPrefix({ workspace: { id: workspaceId }, videoId }))',
    to: '',
    breaks: 'I10: objects of a deleted video are left.',
  },
  {
    file: purge,
    from: "    if (job.status === 'RUNNING') {",
    to: '    if (!job) {',
    breaks: 'I20: the credits of a sync job of a deleted video stay reserved until its deadline.',
  },
  {
    file: 'lib/domain/uploads/upload-lifecycle.ts',
    from: '    purges: [{ videoId: upload.videoId, clips: 0, runs: [] }],',
    to: '',
    breaks: 'I10: the file of a failed upload is left.',
  },
  {
    file: 'lib/use-cases/publishing/advance-posting.ts',
    from: "  const advance = posting.phase === 'sending' ? lookUpSent : send",
    to: '  const advance = send',
    breaks: 'I14: a post that was not answered is sent again.',
  },
  {
    file: 'lib/use-cases/publishing/advance-posting.ts',
    from: '  const posting = publisher.mayPublish(before.state)',
    to: '  const posting = publisher.mayPublish(before.state) && isPart',
    breaks: 'I14: the intent to send is not stored.',
  },
  {
    file: 'lib/use-cases/publishing/advance-posting.ts',
    from: '    if (error instanceof NoResponse) return applyNoResponse(posting, error.message, stepClockOf(deps))',
    to: '    if (error instanceof NoResponse) return applyNotSent(posting, error.message, stepClockOf(deps))',
    breaks: 'I14: a post that was not answered counts as not sent.',
  },
  {
    file: 'lib/store/progress.ts',
    from: "  const conditions = ['(attribute_not_exists(progress) OR progress <= :progress)']",
    to: "  const conditions = ['(attribute_not_exists(pk) OR attribute_exists(pk))']",
    breaks: 'I4: a late report lowers the progress.',
  },
  {
    file: 'lib/domain/webhooks/signature.ts',
    from: "    [webhookHeaders.signature]: bodyDigest(secret, body).toString('hex'),",
    to: "    [webhookHeaders.signature]: bodyDigest(secret, event).toString('hex'),",
    breaks: 'I18: the signature is of something else than the body.',
  },
  {
    file: 'functions/api/webhooks/create.ts',
    from: '  const sealedSecret = await seal(secret, webhookSecretSealingContext({ workspaceId, id }))',
    to: '  const sealedSecret = `${secret}${await seal(secret, webhookSecretSealingContext({ workspaceId, id }))}`',
    breaks: 'I18: the secret of an endpoint is stored in clear text.',
  },
  {
    file: 'lib/use-cases/webhooks/send-webhook.ts',
    from: '    const answer = await sendRequest(',
    to: "    log.info('webhook.sent', { signer: secret.slice(6) })\n    const answer = await sendRequest(",
    breaks: 'I18: the secret of an endpoint is logged.',
  },
  {
    file: 'lib/domain/videos/complete-job.ts',
    from: "    charges: chargesOf('capture', job),",
    to: "    charges: chargesOf('release', job),",
    breaks: 'I2: a generation that is complete is given back instead of paid.',
  },
  {
    file: 'lib/domain/webhooks/webhook-lifecycle.ts',
    from: 'export const endpointFailuresMax = 25',
    to: 'export const endpointFailuresMax = 2_500',
    breaks: 'I12: an endpoint is not disabled after 25 failures.',
  },
  {
    file: 'lib/domain/webhooks/delivery-attempts.ts',
    from: '  const delay = 4 ** attempts * (0.9 + 0.2 * jitter)',
    to: '  const delay = 4 * (0.9 + 0.2 * jitter)',
    breaks: 'I8: attempts do not back off: all six are made within half a minute.',
  },
  {
    file: 'lib/domain/publishing/publish.ts',
    from: '  refuseDuplicatePost(healthy, caption, posted)\n',
    to: '',
    breaks: 'I14: the same caption is posted twice to one account within 24 hours.',
  },
  {
    file: 'lib/domain/publishing/publish-run.ts',
    from: '    isOpen(result) ? endedResult(result, outcomes.get(result.accountId)) : result,',
    to: '    isOpen(result) ? endedResult(result, undefined) : result,',
    breaks: 'I14: a post whose outcome is unknown is reported as failed, and may be published again.',
  },
  {
    file: 'lib/domain/videos/complete-job.ts',
    from: '  const cleared = (job.inputVersion ?? 0) < video.clearedVersion',
    to: '  const cleared = false',
    breaks: 'I16: a render of scenes that were changed meanwhile is shown.',
  },
  {
    file: 'lib/store/core/workspace-update.ts',
    from: "  if (video.taken > 0) parts.require('creditsBalance', '>=', video.taken)",
    to: '',
    breaks: 'I1: two requests at once spend the last credits, and the balance is negative.',
  },
  {
    file: 'lib/domain/videos/update-video.ts',
    from: '    ...(endsJob(before, after) ? { automationWakeUps: wakeUpsAfterJob(video) } : {}),',
    to: '',
    breaks: 'I5: the clip of a manual run is rendered, and waits for ever to be published (missing outbox row).',
  },
  {
    file: 'lib/use-cases/sync-jobs/complete-sync-job.ts',
    from: '      await commit(withSyncJobCompleted(decision, job, answer), record ?? undefined)',
    to: '      await commit(withSyncJobCompleted(decision, job, answer))',
    breaks: 'I3: the response of a sync job is not stored under its idempotency key: a later repeat pays again.',
  },
  {
    file: 'lib/store/api-keys.ts',
    from: 'ConsistentRead: true',
    to: 'ConsistentRead: false',
    breaks: 'I15: a revoked key is read from a replica that lags, and accepted.',
  },
  {
    file: 'lib/store/run-permits.ts',
    from: "        ConditionExpression: 'attribute_exists(pk)',",
    to: "        ConditionExpression: 'attribute_exists(pk) OR attribute_not_exists(pk)',",
    breaks:
      'I19: a late or repeated dispatcher takes a permit for a run that has started or ended, and nobody releases it.',
  },
  {
    file: 'lib/use-cases/videos/purge-video.ts',
    from: '  else if (purgedAt) await deleteOutboxRow(key)',
    to: '  else if (purgedAt ?? createdAt) await deleteOutboxRow(key)',
    breaks:
      'I10: a purge has no second pass, so that an object that a worker was storing during the first one is left.',
  },
  {
    file: 'lib/domain/webhooks/delivery-attempts.ts',
    from: ' && webhook.url === before.url',
    to: '',
    breaks: 'I12: failed attempts at a former URL are counted for the new URL of an endpoint.',
  },
  {
    file: 'lib/store/core/commit.ts',
    from: '    retry(() => table.send(new TransactWriteCommand({ TransactItems, ClientRequestToken })), {',
    to: '    retry(() => table.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() })), {',
    breaks:
      'I3: the repeat of a transaction in progress has a new token, conflicts with it, and the request is decided again with new ids: two videos.',
  },
  {
    file: 'lib/store/storage-usage.ts',
    from: "      Delete: { TableName: tableName(), Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' },",
    to: '      Delete: { TableName: tableName(), Key: { pk, sk } },',
    breaks: 'I9: two releases of an object, one of them late or of an earlier worker, both return its bytes.',
  },
  {
    file: 'lib/domain/publishing/publish-run.ts',
    from: "  const unposted = results.filter((result) => result.status === 'FAILED' && !isUnknown(result))",
    to: "  const unposted = results.filter((result) => result.status === 'FAILED')",
    breaks:
      'I14: a post whose outcome is unknown, but which was accepted, may be published again with the same caption.',
  },
  {
    file: 'lib/domain/automations/clip-runs.ts',
    from: '  return mergeDecisions(updateAutomation(context, {}, now), { ...after, events: [event] })',
    to: '  return { ...after, events: [event] }',
    breaks: 'I5: a clip that is scheduled while its automation is paused waits for ever for a slot that does not come.',
  },
  {
    file: 'lib/store/event-journal.ts',
    from: "ConditionExpression: '#sequence = :seen',",
    to: "ConditionExpression: '#sequence >= :seen',",
    breaks: 'I6: two workers that read the same head of the journal enter two events under one number.',
  },
  {
    file: 'lib/store/postings.ts',
    from: "ConditionExpression: '#version = :seen',",
    to: "ConditionExpression: '#version >= :seen',",
    breaks: 'I14: a worker that read an old posting writes over a newer one, and sends the post a second time.',
  },
  {
    file: 'lib/use-cases/publishing/finish-publish.ts',
    from: 'await writePosting(endPosting(posting, error))',
    to: 'endPosting(posting, error)',
    breaks: 'I14: a posting is ended without a write, so that a step that runs sends what is reported as failed.',
  },
  {
    file: 'lib/store/core/commit.ts',
    from: "ConditionExpression: 'storedBytes = :bytes AND clips = :clips',",
    to: "ConditionExpression: 'storedBytes = :bytes AND clips >= :clips',",
    breaks: 'I10: a clip that is created while its source is deleted is left.',
  },
  {
    file: 'lib/use-cases/sync-jobs/run-sync-job.ts',
    from: '    return [newest, newest.previous].find((job) => job?.runId === run.runId)',
    to: '    return newest',
    breaks: 'I17: a request gets the answer of the run after its own, and its repeat another one.',
  },
  {
    file: 'lib/domain/webhooks/delivery-attempts.ts',
    from: 'export const deliveryLeaseSeconds = 40',
    to: 'export const deliveryLeaseSeconds = 8',
    breaks: 'I8: a lease is as long as the timeout of a request, and shorter than the work of its worker.',
  },
  {
    file: 'lib/domain/webhooks/webhook-lifecycle.ts',
    from: '{ enabled: true, enabledSince: now, failureCount: 0, disabledReason: null }',
    to: '{ enabled: true, enabledSince: now, disabledReason: null }',
    breaks: 'I12: an endpoint that is enabled again keeps its failures, and is disabled before 25 more.',
  },
  {
    file: 'lib/domain/videos/update-video.ts',
    from: '  return slotAt ?? null',
    to: '  return null',
    breaks: 'I5: a slot whose timer was lost is never decided, and its clip stays scheduled.',
  },
  {
    file: 'lib/store/core/workspace-update.ts',
    from: "  parts.add('avatarCreditsBalance', avatar.more)",
    to: "  parts.add('avatarCreditsBalance', avatar.granted)",
    breaks: 'I1: presenters are not charged to the avatar balance.',
  },
  {
    file: 'lib/use-cases/webhooks/queue-replay.ts',
    from: 'replayDeliveries(webhook, part, entries, env.timeScale())',
    to: 'replayDeliveries(webhook, { ...part, createdAt: now() }, entries, env.timeScale())',
    breaks: 'I3: deliveries of a replay are made at the time of the worker, and a second time by a repeated one.',
  },
  {
    file: 'lib/domain/webhooks/event-journal.ts',
    from: '      if (!isNext) readable.behindGap = row\n',
    to: '',
    breaks: 'I6: a reader of the journal passes over an entry that is not visible yet.',
  },
  {
    file: 'lib/use-cases/uploads/receive-upload.ts',
    from: "  if (status === 'received' && (await findVideoByKey(keys.video(workspaceId, videoId)))) return",
    to: "  if (status === 'received') return",
    breaks: 'I10: a file that is sent again after its video was deleted is left.',
  },
  {
    file: 'lib/use-cases/artefacts/store-artefact.ts',
    from: '  const isFirst = await putObjectIfAbsent(key, body, contentType)',
    to: '  const isFirst = (await putObject(key, body, contentType)) === undefined',
    breaks: 'I16: a second worker replaces what is shown already by another take.',
  },
  {
    file: 'lib/store/storage-usage.ts',
    from: '    if (!Item || bytes === undefined || Item.bytes === bytes) return',
    to: '    if (Item?.bytes !== null) return',
    breaks: 'I9: an object that was counted before a crash keeps the size of a take that was never stored.',
  },
  {
    file: 'lib/use-cases/generation/ensure-narration.ts',
    from: '  const audioKey = isFirst ? narrationSoundKey(key) : otherSoundKey(key, wav)',
    to: '  const audioKey = narrationSoundKey(key)',
    breaks: 'I16: the facts of one take of a narration describe the sound of another, and captions are early or late.',
  },
  {
    file: 'lib/store/core/commit.ts',
    from: '    isRepeat ||= isInProgress || (error instanceof TransactionCanceledException && (error.$metadata.attempts ?? 1) > 1)',
    to: '    isRepeat ||= isInProgress',
    breaks:
      'I3: the repeat of an unanswered transaction is cancelled, the request is decided again with new ids, and both take effect.',
  },
  {
    file: 'lib/domain/videos/sync-job-transitions.ts',
    from: "    charges: [...decision.charges, syncJobCharge('capture', job)],",
    to: "    charges: [...decision.charges, syncJobCharge('release', job)],",
    breaks: 'I2: a sync job that is complete is not paid.',
  },
  {
    file: 'lib/use-cases/sync-jobs/wait-permit.ts',
    from: '    if (isHeld)\n',
    to: '    if (!isHeld)\n',
    breaks: 'I19: a request that has waited keeps its permit until it expires, and eight of them lock a workspace out.',
  },
]
