/** The settings of a deployment, by name, with their defaults. An empty text is the same as none. `config.ts` validates them. */
export const settingDefaults = {
  stage: 'dev',
  region: '',
  domain: '',
  certificate: '',
  alarmAddress: '',
  logRetentionDays: 30,
  keyRotationDays: 2560,
  concurrency: 1000,
  renderFunctionMb: 3008,
  renderFunctionsMax: '',
  monthlyBudget: 100,
  taskZones: '',
  assetKey: '',
  providers: {},
} as const
