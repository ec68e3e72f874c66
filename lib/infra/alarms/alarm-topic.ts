/** The SNS topic of the alarms. The configured email address is subscribed; operators can add subscriptions. */
import { Aws } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string, address: string | undefined) {
    super(scope, id)
    this.topic = new Topic(this, 'Topic', { enforceSSL: true })
    // An explicit topic policy replaces the default one, which allows alarms of the account to publish.
    // AWS Budgets: https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ['cloudwatch.amazonaws.com', 'budgets.amazonaws.com'].map((name) => new ServicePrincipal(name)),
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    )
    if (address !== undefined) this.topic.addSubscription(new EmailSubscription(address))
  }
}
