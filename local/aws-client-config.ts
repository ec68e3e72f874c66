// Configuration of the SDK clients that the local run itself uses. It does not read the environment.

/** The only credentials of s3rver; the other emulators accept any. */
export const EMULATOR_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export const awsClientConfig = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: EMULATOR_CREDENTIALS,
})
