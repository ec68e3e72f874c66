/** The distribution of the studio: what it serves from where, and with which headers. */
import { describe, expect, it } from 'vitest'
import { resourcesOf, type SynthesizedResource, synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment()
const only = (type: string): SynthesizedResource => {
  const found = resourcesOf(stacks.console, type)
  expect(found).toHaveLength(1)
  return found[0]![1]
}
const { DefaultCacheBehavior, CacheBehaviors, Origins } = only('AWS::CloudFront::Distribution').Properties
  .DistributionConfig
const behaviour = (pattern: string) =>
  CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === pattern)
const headersOf = ({ ResponseHeadersPolicyId }: { ResponseHeadersPolicyId: { Ref: string } }) => {
  const policies = new Map(resourcesOf(stacks.console, 'AWS::CloudFront::ResponseHeadersPolicy'))
  return JSON.stringify(policies.get(ResponseHeadersPolicyId.Ref)!.Properties.ResponseHeadersPolicyConfig)
}

describe('the distribution of the studio', () => {
  it('sends /v1 to the API, unchanged: no cache, and no compression, which would weaken ETags', () => {
    const api = behaviour('/v1*')
    expect(api).toMatchObject({ Compress: false, ViewerProtocolPolicy: 'https-only' })
    expect(api.AllowedMethods).toContain('DELETE')
    // Managed policies: CachingDisabled and AllViewerExceptHostHeader.
    expect(api.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad')
    expect(api.OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac')
    const origin = Origins.find(({ Id }: { Id: string }) => Id === api.TargetOriginId)
    expect(JSON.stringify(origin.DomainName)).toContain('.execute-api.')
    expect(origin.CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginReadTimeout: 35 })
  })

  it('of a deployment with a domain calls the API by it, since the default address is disabled', async () => {
    const domain = { domain: 'api.example.com', certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc' }
    const other = await synthesizeDeployment(domain)
    const [[, distribution] = []] = resourcesOf(other.stacks.console, 'AWS::CloudFront::Distribution')
    const hosts = distribution!.Properties.DistributionConfig.Origins.map(
      ({ DomainName }: { DomainName: unknown }) => DomainName,
    )
    expect(hosts).toContain('api.example.com')
  })

  it('serves the page for every other address, never cached, and files with a hash in their name for good', () => {
    expect(DefaultCacheBehavior.FunctionAssociations).toHaveLength(1)
    expect(only('AWS::CloudFront::Function').Properties.FunctionCode).toContain("'/index.html'")
    expect(headersOf(DefaultCacheBehavior)).toContain('"Header":"cache-control","Override":true,"Value":"no-cache"')
    expect(headersOf(behaviour('/assets/*'))).toContain('immutable')
    expect(behaviour('/assets/*').FunctionAssociations).toBeUndefined()
  })

  it('has the policy of the local run, with the addresses of media and uploads', () => {
    const headers = headersOf(DefaultCacheBehavior)
    expect(headers).toContain("script-src 'self' 'wasm-unsafe-eval';")
    expect(headers).toContain("frame-ancestors 'none'")
    expect(headers).not.toContain('unsafe-inline')
    expect(headers).toContain('.s3.')
    expect(headers).toContain('"ContentTypeOptions":{"Override":true}')
  })
})
