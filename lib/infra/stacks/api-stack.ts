/** The HTTP API: one function for each row of the route table, and one for whatever the table does not list. */
import { CfnOutput, Stack, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { basePath } from '../../contract/match-path.ts'
import type { Route } from '../../contract/route.ts'
import { splitSignature } from '../../contract/route.ts'
import * as routes from '../../contract/routes.ts'
import { apiFaultsMetric } from '../alarms/alarms.ts'
import { readConfig } from '../config.ts'
import { logGroup } from '../constructs/log-group.ts'
import { ReelsmithFunction } from '../constructs/reelsmith-function.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import { permissionGrants } from '../iam/function-grants.ts'
import { readRecords } from '../iam/grants.ts'

/** API Gateway answers 503 by itself after 30 s: the function ends before that. */
const timeoutSeconds = 29

/** Never the address with its query, a header or a body: they may hold a key. */
const accessLog = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  // What the function answered; a dash where it answered nothing.
  answered: '$context.integration.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
  error: '$context.integrationErrorMessage',
}

export class ApiStack extends Stack {
  readonly apiId: string

  constructor(scope: Construct, id: string, shared: DeploymentContext) {
    super(scope, id, { ...shared.stackProps, description: 'Reelsmith: the HTTP API' })
    const { domain } = readConfig(this.node)
    const api = new HttpApi(this, 'Api', {
      apiName: id,
      createDefaultStage: false,
      disableExecuteApiEndpoint: domain !== undefined,
    })
    this.apiId = this.exportValue(api.apiId)
    const domainName = domain && this.answerAt(domain)
    const accessLogs = logGroup(this, 'AccessLog')
    new MetricFilter(this, 'Faults', {
      ...apiFaultsMetric(shared),
      logGroup: accessLogs,
      // With a 503 a function asks to come again: its work goes on, or many write one record.
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '5*'),
        FilterPattern.stringValue('$.answered', '!=', '503'),
      ),
    })
    const stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      ...(domainName && { domainMapping: { domainName } }),
      // A backstop for the account; the limits of a workspace are its plan's.
      throttle: { rateLimit: 200, burstLimit: 400 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    })

    for (const [name, route] of Object.entries<Route>(routes)) {
      const { method, path } = splitSignature(route.signature)
      const { lambda } = new ReelsmithFunction(this, name, {
        ...shared,
        file: `functions/api/${route.handler}.ts`,
        description: route.signature,
        grants: [readRecords(shared), ...(route.permissions ?? []).flatMap((use) => permissionGrants[use](shared))],
        timeoutSeconds,
      })
      api.addRoutes({
        // API Gateway refuses to create a route that ends in a slash, so `GET /` is `/v1`.
        path: `${basePath}${path}`.replace(/\/$/, ''),
        methods: [HttpMethod[method]],
        integration: new HttpLambdaIntegration(name, lambda),
      })
    }

    const { lambda } = new ReelsmithFunction(this, 'notFound', {
      ...shared,
      file: 'functions/api/not-found.ts',
      description: 'Whatever the route table does not list',
      grants: [readRecords(shared)],
      timeoutSeconds,
    })
    new HttpRoute(this, 'Default', {
      httpApi: api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: new HttpLambdaIntegration('notFound', lambda),
    })

    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Every path must answer the same 401 envelope and refuse a revoked key at once; an authorizer of an HTTP API can do neither, so each function authenticates first.',
    })
    const origin = domain ? `https://${domain.name}` : stage.url.replace(/\/$/, '')
    new CfnOutput(this, 'ApiUrl', { value: `${origin}${basePath}` })
    new CfnOutput(this, 'ApiId', { value: api.apiId })
  }

  /** An own name, in the place of the one that AWS gives. Whoever owns the zone points the name at the output. */
  private answerAt({ name, certificateArn }: { name: string; certificateArn: string }): DomainName {
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn)
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
    })
    new CfnOutput(this, 'DomainTarget', { value: domainName.regionalDomainName })
    return domainName
  }
}
