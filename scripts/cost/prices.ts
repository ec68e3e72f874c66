/**
 * AWS list prices of us-east-1 in US dollars, without tax, discounts and commitments. `free` is the permanent free tier per account and month;
 * offers for new accounts are excluded. Vendors are in `vendors.ts`.
 */

export const priceList = { region: 'us-east-1', date: '2026-11-21' }

export interface ListPrice {
  usd: number
  /** The unit that the price is for. */
  per: string
  free?: number
  page: string
  /**
   * The source of the figure. `page`: a copy of the price page; `guides`: guides of 2025 and 2026, because copies of the page lack the
   * figures; `memory`: no source was found.
   */
  read: 'page' | 'guides' | 'memory'
}

const aws = (name: string) => `https://aws.amazon.com/${name}/pricing/`
const million = 1_000_000

export const awsPrices = {
  lambdaRequest: { usd: 0.2 / million, per: 'call of a function', free: million, page: aws('lambda'), read: 'guides' },
  lambdaSecond: {
    usd: 0.0000133334,
    per: 'GB-second of functions, ARM',
    free: 400_000,
    page: aws('lambda'),
    read: 'guides',
  },
  apiRequest: { usd: 1 / million, per: 'request of an HTTP API', page: aws('api-gateway'), read: 'memory' },
  tableRead: { usd: 0.125 / million, per: 'read unit of the table', page: aws('dynamodb'), read: 'guides' },
  tableWrite: { usd: 0.625 / million, per: 'write unit of the table', page: aws('dynamodb'), read: 'guides' },
  tableStored: { usd: 0.25, per: 'GB in the table and month', free: 25, page: aws('dynamodb'), read: 'memory' },
  tableBackup: { usd: 0.2, per: 'GB of point-in-time recovery and month', page: aws('dynamodb'), read: 'memory' },
  transition: { usd: 0.025 / 1000, per: 'state transition', free: 4_000, page: aws('step-functions'), read: 'page' },
  taskCpu: { usd: 0.03238 / 3600, per: 'vCPU-second of tasks, ARM', page: aws('fargate'), read: 'guides' },
  taskMemory: { usd: 0.00356 / 3600, per: 'GB-second of tasks, ARM', page: aws('fargate'), read: 'guides' },
  taskDisk: {
    usd: 0.000111 / 3600,
    per: 'GB-second of disk of tasks above 20 GB',
    page: aws('fargate'),
    read: 'guides',
  },
  publicAddress: { usd: 0.005 / 3600, per: 'second of a public IPv4 address', page: aws('vpc'), read: 'memory' },
  objectWrite: { usd: 0.005 / 1000, per: 'PUT to S3', page: aws('s3'), read: 'memory' },
  objectRead: { usd: 0.0004 / 1000, per: 'GET or HEAD of S3', page: aws('s3'), read: 'memory' },
  objectStored: { usd: 0.023, per: 'GB in S3 and month', page: aws('s3'), read: 'memory' },
  imageStored: { usd: 0.1, per: 'GB and month in ECR', page: aws('ecr'), read: 'memory' },
  queueRequest: { usd: 0.4 / million, per: 'request to a queue', free: million, page: aws('sqs'), read: 'memory' },
  schedule: {
    usd: 1 / million,
    per: 'call of a schedule',
    free: 14 * million,
    page: aws('eventbridge'),
    read: 'guides',
  },
  key: { usd: 1, per: 'key and month', page: aws('kms'), read: 'page' },
  keyRotation: { usd: 1, per: 'rotation of a key so far, up to two, and month', page: aws('kms'), read: 'page' },
  keyRequest: { usd: 0.03 / 10_000, per: 'request to KMS', free: 20_000, page: aws('kms'), read: 'guides' },
  secret: { usd: 0.4, per: 'secret and month', page: aws('secrets-manager'), read: 'guides' },
  secretRequest: {
    usd: 0.05 / 10_000,
    per: 'request to Secrets Manager',
    page: aws('secrets-manager'),
    read: 'guides',
  },
  alarm: { usd: 0.1, per: 'metric of an alarm and month', free: 10, page: aws('cloudwatch'), read: 'guides' },
  dashboard: { usd: 3, per: 'dashboard and month', free: 3, page: aws('cloudwatch'), read: 'guides' },
  metric: { usd: 0.3, per: 'custom metric and month', free: 10, page: aws('cloudwatch'), read: 'guides' },
  logWritten: { usd: 0.5, per: 'GB of logs written', free: 5, page: aws('cloudwatch'), read: 'guides' },
  logStored: { usd: 0.03, per: 'GB of logs and month', page: aws('cloudwatch'), read: 'guides' },
  trace: { usd: 5 / million, per: 'trace', free: 100_000, page: aws('xray'), read: 'memory' },
  fetched: {
    usd: 0.085,
    per: 'GB from CloudFront, Europe and North America',
    free: 1_024,
    page: aws('cloudfront'),
    read: 'memory',
  },
  fetchedRequest: {
    usd: 0.01 / 10_000,
    per: 'request to CloudFront',
    free: 10 * million,
    page: aws('cloudfront'),
    read: 'memory',
  },
  sentOut: { usd: 0.09, per: 'GB sent to the internet', free: 100, page: `${aws('ec2')}on-demand/`, read: 'memory' },
} as const satisfies Record<string, ListPrice>

export type PriceName = keyof typeof awsPrices
