/** The HTTP API: its routes, and the functions that serve them. */
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
import { basePath, splitSignature } from '../../contract/route.ts'
import { apiFaultsMetric } from '../alarms/alarms.ts'
import { apiBundleName, apiFunctions, defaultRouteKey, gatewayPath, mcpFunction } from '../api-functions.ts'
import { readConfig } from '../config.ts'
import { logGroup } from '../constructs/log-group.ts'
import { ReelsmithFunction } from '../constructs/reelsmith-function.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import {
  apiFunctionGrants,
  apiGrants,
  mcpFunctionGrants,
  mcpProtocolGrants,
  routeGrants,
} from '../iam/function-grants.ts'
import type { Grant } from '../iam/grants.ts'

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
  /** Of its custom domain, where it has one. */
  readonly apiHost: string
  /** What each handler under `functions/api` needs; its function has this and the grants of the routes beside it. */
  readonly grantsByHandler: ReadonlyMap<string, readonly Grant[]>

  constructor(scope: Construct, id: string, deployment: DeploymentContext) {
    super(scope, id, { ...deployment.stackProps, description: 'Reelsmith: the HTTP API' })
    const { domain } = readConfig(this.node)
    const api = new HttpApi(this, 'Api', {
      apiName: id,
      createDefaultStage: false,
      disableExecuteApiEndpoint: domain !== undefined,
    })
    this.apiId = this.exportValue(api.apiId)
    this.apiHost = domain?.name ?? `${this.apiId}.execute-api.${this.region}.${this.urlSuffix}`
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

    for (const apiFunction of apiFunctions) {
      const { name, routes, handlers } = apiFunction
      const { lambda } = new ReelsmithFunction(this, name, {
        ...deployment,
        entry: apiBundleName(name),
        description: apiFunction.description,
        memoryMb: apiFunction.memoryMb,
        grants: apiFunctionGrants(deployment, apiFunction),
        timeoutSeconds,
      })
      // One permission for each function: the policy of a function is limited to 20 KB.
      const integration = new HttpLambdaIntegration(name, lambda, { scopePermissionToRoute: false })
      for (const route of Object.values(routes))
        api.addRoutes({
          path: gatewayPath(route),
          methods: [HttpMethod[splitSignature(route.signature).method]],
          integration,
        })
      if (defaultRouteKey in handlers)
        new HttpRoute(this, 'Default', { httpApi: api, routeKey: HttpRouteKey.DEFAULT, integration })
    }
    const { lambda: mcp } = new ReelsmithFunction(this, mcpFunction.name, {
      ...deployment,
      entry: apiBundleName(mcpFunction.name),
      description: mcpFunction.description,
      grants: mcpFunctionGrants(deployment),
      timeoutSeconds,
    })
    // All methods: the function refuses others than POST with the methods that it takes.
    api.addRoutes({
      path: mcpFunction.path,
      methods: [HttpMethod.ANY],
      integration: new HttpLambdaIntegration(mcpFunction.name, mcp, { scopePermissionToRoute: false }),
    })
    this.grantsByHandler = new Map([
      // The handlers of its tools have their own entries.
      [mcpFunction.protocol, mcpProtocolGrants(deployment)] as const,
      ...apiFunctions.flatMap(({ handlers, routes }) => [
        ...Object.values(routes).map((route) => [route.handler, routeGrants(deployment, route)] as const),
        ...(defaultRouteKey in handlers ? [[handlers[defaultRouteKey]!, apiGrants(deployment)] as const] : []),
      ]),
    ])

    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Every path must return the same 401 envelope and reject a revoked key immediately. An authorizer of an HTTP API can do neither, so each function authenticates first.',
    })
    const origin = domain ? `https://${domain.name}` : stage.url.replace(/\/$/, '')
    new CfnOutput(this, 'ApiUrl', { value: `${origin}${basePath}` })
    new CfnOutput(this, 'McpUrl', { value: `${origin}${mcpFunction.path}` })
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
