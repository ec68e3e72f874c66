/** Where alarms are told: an operator subscribes to it, and the address that the deployment was given is subscribed already. */
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
    // A topic with a policy of its own has lost the one by which alarms of its account may publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    )
    if (address !== undefined) this.topic.addSubscription(new EmailSubscription(address))
  }
}
