/**
 * The interface of connectors: the user consents on the platform's page, the authorization code is exchanged for
 * tokens, and these are refreshed until the user or the platform revokes them. One connector per platform, with its
 * URLs as data.
 *
 * Every `<platform>/connect.ts` has the same order of parts: scopes and response schemas; the connector with its
 * requests, its operations and the interface; then helpers.
 */

import type { PlatformId } from '../domain/core/platform.ts'
import type { AccountIdentity } from '../domain/records/account.ts'
import type { Tokens } from '../domain/records/tokens.ts'
import type { PlatformHttp } from './publisher.ts'

/** The OAuth client of this deployment. */
export interface OAuthClient {
  id: string
  secret: string
}

export interface ConnectDeps {
  /** Empty strings for a platform without OAuth clients. */
  client: OAuthClient
  http: PlatformHttp
  /** ISO. */
  now: string
}

/** The parameters of one authorization request (RFC 6749, section 4.1.1). */
export interface ConsentRequest {
  /** Identifies the pending connection; single use. */
  state: string
  /** The PKCE code verifier, for platforms with PKCE. */
  verifier: string
  redirectUri: string
}

export type RefreshResult =
  | { kind: 'renewed'; tokens: Tokens }
  /** Not refreshable: the user has to connect the account again. */
  | { kind: 'refused' }

/** Methods throw `NotSent` or `NoResponse` (`lib/platforms/failures.ts`), a `Refusal`, or an unexpected error. */
export interface Connector {
  platform: PlatformId
  refresh(deps: ConnectDeps, tokens: Tokens, settings: AccountSettings): Promise<RefreshResult>
  /** The current identity of the account; null if the token is rejected. */
  identify(deps: ConnectDeps, access: string, settings: AccountSettings): Promise<AccountIdentity | null>
}

/** For platforms with a consent page (OAuth). */
export interface ConsentConnector extends Connector {
  consentUrl(client: OAuthClient, consent: ConsentRequest): Promise<string>
  /** At least one account, each with its tokens. Of several, such as Pages, the user chooses one. */
  exchange(deps: ConnectDeps, consent: ConsentRequest, code: string): Promise<ConnectedAccount[]>
}

/**
 * For platforms with app passwords, which the user creates and can revoke. The password is used once and not stored.
 */
export interface PasswordConnector extends Connector {
  signIn(deps: ConnectDeps, password: AppPassword): Promise<ConnectedAccount>
}

export interface AppPassword {
  /** The URL of the account's server; null for the platform's default. */
  service: string | null
  /** A handle, email address or DID. */
  identifier: string
  password: string
}

/** Settings of an account for its publisher, such as a board. Connecting sets the initial ones. */
export type AccountSettings = Readonly<Record<string, string>>

export interface ConnectedAccount {
  identity: AccountIdentity
  tokens: Tokens
  settings: Record<string, string>
}
