// What an AWS SDK client of the local run itself needs. It reads no environment, so that it works whatever is set there.

/** The only pair s3rver knows; the other emulators take any. */
export const EMULATOR_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export const awsClientConfig = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: EMULATOR_CREDENTIALS,
})
