/** A monthly budget of the account, which notifies the topic of the alarms. AWS evaluates budgets a few times a day. */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'

interface BudgetProps {
  readonly name: string
  /** US dollars a month. */
  readonly limit: number
  readonly topicArn: string
}

/** At 80 % of the actual costs, and as soon as the forecast of the month exceeds the limit. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
]

export class Budget extends Construct {
  constructor(scope: Construct, id: string, { name, limit, topicArn }: BudgetProps) {
    super(scope, id)
    // Of the whole account: costs by tag need a cost allocation tag, which only a person can activate.
    new CfnBudget(this, 'Monthly', {
      budget: {
        budgetName: name,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: limit, unit: 'USD' },
      },
      notificationsWithSubscribers: thresholds.map((threshold) => ({
        notification: { ...threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'SNS', address: topicArn }],
      })),
    })
  }
}
