/** Copies a folder of the repository into a bucket at every deployment. */
import { Stack, Validations } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import { BucketDeployment, type BucketDeploymentProps, Source } from 'aws-cdk-lib/aws-s3-deployment'
import { Construct } from 'constructs'
import { attachGrants } from '../iam/grants.ts'
import { logGroup } from './log-group.ts'

interface FolderCopyProps extends Pick<BucketDeploymentProps, 'contentType' | 'cacheControl' | 'memoryLimit'> {
  readonly source: string
  readonly bucket: IBucket
  /** Where the files go in the bucket; default: its root. */
  readonly folder?: string
  /** The ARN of the customer key of the CDK's asset bucket, where the bootstrap has one. */
  readonly assetKey: string | undefined
}

export class FolderCopy extends Construct {
  constructor(scope: Construct, id: string, { source, bucket, folder, assetKey, ...options }: FolderCopyProps) {
    super(scope, id)
    const clips = new Asset(this, 'Clips', { path: source })
    const logs = logGroup(this, 'Logs')
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    attachGrants(role, [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logs.logGroupArn] },
      { actions: ['s3:GetObject'], resources: [clips.bucket.arnForObjects(clips.s3ObjectKey)] },
      ...(assetKey ? [{ actions: ['kms:Decrypt'], resources: [assetKey] }] : []),
      { actions: ['s3:ListBucket'], resources: [bucket.bucketArn] },
      {
        actions: ['s3:GetObject', 's3:PutObject'],
        resources: [bucket.arnForObjects(folder === undefined ? '*' : `${folder}/*`)],
        wildcard:
          folder === undefined
            ? 'Every file of the bucket.'
            : 'Every file in the folder, and nothing else in the bucket.',
      },
    ])
    const copy = new BucketDeployment(this, 'Copy', {
      ...options,
      sources: [Source.bucket(clips.bucket, clips.s3ObjectKey)],
      destinationBucket: bucket,
      ...(folder !== undefined && { destinationKeyPrefix: folder }),
      // What is in use may name a file that a newer version no longer has.
      prune: false,
      logGroup: logs,
      // The construct would add managed policies and deletion in the whole bucket.
      role: role.withoutPolicyUpdates(),
    })
    copy.node.addDependency(role)
    Validations.of(Stack.of(this)).acknowledge({
      id: 'AwsSolutions-L1',
      reason: 'The only function of this stack is part of the CDK, which chooses its runtime.',
    })
  }
}
