/** The environment of the service: everything that a deployment or the local run sets stands here. */

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is not set.`)
  return value
}

/** Read when asked, not at import: the local run sets them before it loads the handlers. */
export const env = {
  tableName: () => required('TABLE_NAME'),
  bucketName: () => required('BUCKET_NAME'),
  /** Base address of stored media, without a slash at the end. */
  mediaUrl: () => required('MEDIA_URL'),
  /** `arn:aws:states:<region>:<account>:stateMachine:` and what the names of this deployment begin with. */
  stateMachineArnPrefix: () => required('STATE_MACHINE_ARN_PREFIX'),
  /** Whether addresses that clients name may lead to this machine: in the local run alone. */
  allowLoopback: () => required('ALLOW_LOOPBACK') === 'true',
}
