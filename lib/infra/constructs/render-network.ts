/**
 * The network of the render tasks: public subnets without NAT, so that an idle deployment costs nothing. No inbound
 * traffic.
 */
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2'
import { Construct } from 'constructs'
import { readConfig } from '../config.ts'
import { logGroup } from './log-group.ts'

export class RenderNetwork extends Construct {
  readonly vpc: Vpc
  readonly securityGroup: SecurityGroup

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const { taskZones } = readConfig(this.node)
    this.vpc = new Vpc(this, 'Vpc', {
      ...(taskZones ? { availabilityZones: [...taskZones] } : { maxAzs: 2 }),
      natGateways: 0,
      subnetConfiguration: [{ name: 'tasks', subnetType: SubnetType.PUBLIC }],
      gatewayEndpoints: {
        S3: { service: GatewayVpcEndpointAwsService.S3 },
        Table: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
    })
    this.vpc.addFlowLog('Rejected', {
      trafficType: FlowLogTrafficType.REJECT,
      destination: FlowLogDestination.toCloudWatchLogs(logGroup(this, 'Flows')),
    })
    this.securityGroup = new SecurityGroup(this, 'Outbound', {
      vpc: this.vpc,
      description: 'Render tasks: HTTP and HTTPS outwards, nothing inwards',
      allowAllOutbound: false,
    })
    this.securityGroup.addEgressRule(Peer.anyIpv4(), Port.HTTPS, 'AWS APIs and media')
    this.securityGroup.addEgressRule(Peer.anyIpv4(), Port.HTTP, 'Portraits by URL')
    // All ports that `lib/egress/address-policy.ts` allows: a portrait that was accepted and charged must not fail
    // here.
    this.securityGroup.addEgressRule(Peer.anyIpv4(), Port.tcpRange(1024, 65_535), 'Portraits by URL with another port')
  }
}
