/** The HTTP API: one function for each row of the route table, and one for all other paths. */
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
import type { Route } from '../../contract/route.ts'
import { basePath, splitSignature } from '../../contract/route.ts'
import * as routes from '../../contract/routes.ts'
import { apiFaultsMetric } from '../alarms/alarms.ts'
import { readConfig } from '../config.ts'
import { logGroup } from '../constructs/log-group.ts'
import { ReelsmithFunction } from '../constructs/reelsmith-function.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import { apiGrants, routeGrants } from '../iam/function-grants.ts'

/** API Gateway returns 503 after 30 s, so the function must end before. */
const timeoutSeconds = 29

/** Must not contain the query string, headers or bodies, which may hold a key. */
const accessLog = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  // The status that the function returned; a dash without a response.
  answered: '$context.integration.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
  error: '$context.integrationErrorMessage',
}

export class ApiStack extends Stack {
  readonly apiId: string

  constructor(scope: Construct, id: string, deployment: DeploymentContext) {
    super(scope, id, { ...deployment.stackProps, description: 'Reelsmith: the HTTP API' })
    const { domain } = readConfig(this.node)
    const api = new HttpApi(this, 'Api', {
      apiName: id,
      createDefaultStage: false,
      disableExecuteApiEndpoint: domain !== undefined,
    })
    this.apiId = this.exportValue(api.apiId)
    const domainName = domain && this.addCustomDomain(domain)
    // Log groups with this prefix need no entry in the account's resource policy, whose size is limited.
    const accessLogs = logGroup(this, 'AccessLog', `/aws/vendedlogs/apis/${id}`)
    new MetricFilter(this, 'Faults', {
      ...apiFaultsMetric(deployment),
      logGroup: accessLogs,
      // A function's 503 asks for a retry: its work continues, or writes to one record conflict.
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
      // Protects the account; each workspace has the limits of its plan.
      throttle: { rateLimit: 200, burstLimit: 400 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    })

    for (const [name, route] of Object.entries<Route>(routes)) {
      const { method, path } = splitSignature(route.signature)
      const { lambda } = new ReelsmithFunction(this, name, {
        ...deployment,
        file: `functions/api/${route.handler}.ts`,
        description: route.signature,
        grants: routeGrants(deployment, route),
        timeoutSeconds,
      })
      api.addRoutes({
        // API Gateway rejects routes with a trailing slash, so `GET /` is `/v1`.
        path: `${basePath}${path}`.replace(/\/$/, ''),
        methods: [HttpMethod[method]],
        integration: new HttpLambdaIntegration(name, lambda),
      })
    }

    const { lambda } = new ReelsmithFunction(this, 'notFound', {
      ...deployment,
      file: 'functions/api/not-found.ts',
      description: 'All paths that the route table does not list',
      grants: apiGrants(deployment),
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
        'Every path must return the same 401 envelope and reject a revoked key immediately. An authorizer of an HTTP API can do neither, so each function authenticates first.',
    })
    const origin = domain ? `https://${domain.name}` : stage.url.replace(/\/$/, '')
    new CfnOutput(this, 'ApiUrl', { value: `${origin}${basePath}` })
    new CfnOutput(this, 'ApiId', { value: api.apiId })
  }

  /** A custom domain, which replaces the default endpoint. Its DNS record must point at the output `DomainTarget`. */
  private addCustomDomain({ name, certificateArn }: { name: string; certificateArn: string }): DomainName {
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
