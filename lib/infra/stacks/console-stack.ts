/**
 * The studio: its static files, and the distribution that serves them beside `/v1`, so that its pages call the API
 * without CORS. Clients of the API keep using its own address.
 */
import { Aws, CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { basePath } from '../../contract/route.ts'
import { bundleFolder, studioFolder } from '../bundle-paths.ts'
import { readConfig } from '../config.ts'
import { FolderCopy } from '../constructs/folder-copy.ts'
import type { DeploymentContext } from '../deployment-context.ts'
import {
  immutableCacheControl,
  immutableFolder,
  pageCacheControl,
  studioHeaders,
  studioPolicy,
} from '../studio-headers.ts'

interface ConsoleProps extends Pick<DeploymentContext, 'name' | 'stackProps' | 'resources'> {
  /** The host of the API. */
  readonly apiHost: string
  /** The bucket of the access logs of the deployment. */
  readonly logBucketName: string
}

/** Longer than the 30 s of the gateway. */
const apiTimeout = Duration.seconds(35)

export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, { name, stackProps, resources, apiHost, logBucketName }: ConsoleProps) {
    super(scope, id, { ...stackProps, description: 'Reelsmith: the studio and its distribution' })
    const { assetKey } = readConfig(this.node)
    const files = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(files).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Files that everyone may read: the distribution in front of them logs their requests.',
    })
    // Names of CloudFront are global in an account.
    const globalName = `${name}-console-${Aws.REGION}`
    const uploads = `https://${resources.bucketName}.s3.${Aws.REGION}.${Aws.URL_SUFFIX}`
    const policy = studioPolicy([resources.mediaUrl, uploads])
    const headersFor = (part: string, cacheControl: string) =>
      new ResponseHeadersPolicy(this, part, {
        responseHeadersPolicyName: `${globalName}-${part}`,
        securityHeadersBehavior: {
          contentSecurityPolicy: { contentSecurityPolicy: policy, override: true },
          contentTypeOptions: { override: true },
          referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
          strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
        },
        customHeadersBehavior: {
          customHeaders: [
            { header: 'cache-control', value: cacheControl, override: true },
            {
              header: 'cross-origin-opener-policy',
              value: studioHeaders['cross-origin-opener-policy'],
              override: true,
            },
          ],
        },
      })
    const origin = S3BucketOrigin.withOriginAccessControl(files, {
      originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: globalName }),
    })
    const viewerProtocolPolicy = ViewerProtocolPolicy.REDIRECT_TO_HTTPS
    const distribution = new Distribution(this, 'Distribution', {
      comment: `${id}: the studio`,
      defaultBehavior: {
        origin,
        viewerProtocolPolicy,
        // A new version is visible at once.
        cachePolicy: CachePolicy.CACHING_DISABLED,
        responseHeadersPolicy: headersFor('Page', pageCacheControl),
        functionAssociations: [
          { eventType: FunctionEventType.VIEWER_REQUEST, function: this.pageFunction(globalName) },
        ],
      },
      additionalBehaviors: {
        [`/${immutableFolder}*`]: {
          origin,
          viewerProtocolPolicy,
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy: headersFor('Assets', immutableCacheControl),
        },
        [`${basePath}*`]: {
          origin: new HttpOrigin(apiHost, { readTimeout: apiTimeout }),
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          // Compression would weaken the ETags of videos, which `If-Match` compares strongly.
          compress: false,
        },
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableLogging: true,
      logBucket: Bucket.fromBucketAttributes(this, 'AccessLogs', { bucketName: logBucketName, region: this.region }),
      logFilePrefix: 'console/',
    })
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Users are in all countries.' },
      { id: 'AwsSolutions-CFR2', reason: 'Static files, and an API that limits the requests of each workspace.' },
      {
        id: 'AwsSolutions-CFR4',
        reason: 'The default certificate fixes the TLS policy; only a custom domain could raise it.',
      },
    )
    new FolderCopy(this, 'Studio', {
      source: studioFolder(bundleFolder),
      bucket: files,
      assetKey,
      // Thousands of small files.
      memoryLimit: 512,
    })
    new CfnOutput(this, 'StudioBucket', { value: files.bucketName })
    new CfnOutput(this, 'ConsoleUrl', { value: `https://${distribution.distributionDomainName}/` })
  }

  /** Every address that is not a file is the page, which shows what the address names. */
  private pageFunction(functionName: string): EdgeFunction {
    return new EdgeFunction(this, 'PageOfAddress', {
      functionName,
      comment: 'Serves the page of the studio for each of its addresses',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(
        "function handler(event) { event.request.uri = '/index.html'; return event.request }",
      ),
    })
  }
}
