/** The monthly cost of an idle deployment, from every resource of its templates. */
import { assumptions, minutesOfMonth } from './assumptions.ts'
import { addBills, type Bill, scaleBill } from './bill.ts'
import type { TemplateResource } from './templates.ts'

interface Idle {
  /** The bill of one tick of the sweeper that finds nothing. */
  tick: Bill
  /** The year of the deployment, from 1. */
  year: number
}

/** Further ones are free: https://aws.amazon.com/kms/pricing/. */
const paidRotationsMax = 2

type Properties = NonNullable<TemplateResource['Properties']>
type Cost = (properties: Properties, idle: Idle) => Bill

const nothing: Cost = () => ({})

/** By resource type. `idleBill` rejects types that are not listed. */
const costs: Record<string, Cost> = {
  'AWS::KMS::Key': ({ EnableKeyRotation, RotationPeriodInDays = 365 }, { year }) => {
    // Rotations until the last day of the year.
    const rotations = EnableKeyRotation ? Math.floor((year * 365 - 1) / Number(RotationPeriodInDays)) : 0
    return { key: 1, keyRotation: Math.min(rotations, paidRotationsMax) }
  },
  'AWS::SecretsManager::Secret': () => ({ secret: 1 }),
  'AWS::CloudWatch::Alarm': ({ Metrics }) => ({ alarm: metricsIn(Metrics) }),
  'AWS::CloudWatch::Dashboard': () => ({ dashboard: 1 }),
  'AWS::Scheduler::Schedule': ({ ScheduleExpression }, { tick }) => scaleBill(tick, callsPerMonth(ScheduleExpression)),
  // Lambda polls streams for free.
  'AWS::Lambda::EventSourceMapping': ({ StartingPosition }) =>
    StartingPosition ? {} : { queueRequest: assumptions.pollsPerQueueAndMinute * minutesOfMonth },
  'AWS::ECS::Cluster': ({ ClusterSettings }) =>
    /"(enabled|enhanced)"/.test(JSON.stringify(ClusterSettings ?? null))
      ? { metric: assumptions.metricsOfIdleCluster }
      : {},
  'AWS::ECS::TaskDefinition': () => ({ imageStored: assumptions.imageGigabytes }),
  'AWS::DynamoDB::GlobalTable': ({ BillingMode }) => {
    if (BillingMode !== 'PAY_PER_REQUEST') throw new Error('A table with provisioned capacity is billed by the hour.')
    return { tableStored: assumptions.idleGigabytes, tableBackup: assumptions.idleGigabytes }
  },
  'AWS::S3::Bucket': () => ({ objectStored: assumptions.idleGigabytes }),
  'AWS::Logs::LogGroup': nothing,
  'AWS::EC2::VPCEndpoint': ({ VpcEndpointType }) => {
    if (VpcEndpointType !== 'Gateway') throw new Error('Endpoints other than gateway endpoints are billed by the hour.')
    return {}
  },
  ...Object.fromEntries(
    // Billed by use only, or free; budgets without actions: https://aws.amazon.com/aws-cost-management/aws-budgets/pricing/.
    `IAM::Role IAM::Policy IAM::ManagedPolicy Lambda::Function Lambda::Permission Lambda::EventInvokeConfig Lambda::LayerVersion
    ApiGatewayV2::Api ApiGatewayV2::Stage ApiGatewayV2::Route ApiGatewayV2::Integration ApiGatewayV2::DomainName ApiGatewayV2::ApiMapping
    StepFunctions::StateMachine SQS::Queue SQS::QueuePolicy SNS::Topic SNS::TopicPolicy SNS::Subscription S3::BucketPolicy
    Events::Rule Scheduler::ScheduleGroup CloudFront::Distribution CloudFront::OriginAccessControl CloudFront::CachePolicy CloudFront::ResponseHeadersPolicy CloudFront::Function
    ECS::ClusterCapacityProviderAssociations EC2::VPC EC2::Subnet EC2::RouteTable EC2::Route EC2::SubnetRouteTableAssociation
    EC2::InternetGateway EC2::VPCGatewayAttachment EC2::SecurityGroup EC2::FlowLog Logs::MetricFilter Logs::ResourcePolicy Budgets::Budget`
      .split(/\s+/)
      .map((type) => [`AWS::${type}`, nothing]),
  ),
  // Copies the voice previews and the studio during a deployment.
  'Custom::CDKBucketDeployment': nothing,
}

function metricsIn(metrics: unknown): number {
  if (!Array.isArray(metrics)) return 1
  return metrics.filter((metric) => 'MetricStat' in metric).length
}

function callsPerMonth(expression: unknown): number {
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(String(expression)) ?? []
  if (!minutes) throw new Error(`The schedule ${expression} has no known number of calls per month.`)
  return minutesOfMonth / Number(minutes)
}

/** Throws for a resource type without a known price. */
export function idleBill(resources: readonly TemplateResource[], idle: Idle): Bill {
  const bills = resources.map(({ Type, Properties = {} }) => {
    const cost = costs[Type]
    if (!cost) throw new Error(`${Type} has no idle price. Add it to scripts/cost/idle-bill.ts.`)
    return cost(Properties, idle)
  })
  return addBills(...bills)
}
