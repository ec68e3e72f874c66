/**
 * How an account is connected: the user consents on the platform's own page and comes back with a code, which is exchanged for tokens;
 * those are renewed until the user or the platform ends them. One connector for each platform, with its addresses as data.
 */

import type { Tokens } from '../domain/accounts/profiles.ts'
import type { PlatformId } from '../domain/core/platform.ts'
import type { AccountIdentity } from '../domain/records/account.ts'
import type { PlatformHttp } from './publisher.ts'

/** What the platform knows this deployment as. */
export interface OAuthClient {
  id: string
  secret: string
}

export interface ConnectDeps {
  /** Empty for a platform that knows no clients. */
  client: OAuthClient
  http: PlatformHttp
  /** ISO. */
  now: string
}

/** What the user is sent to the platform with, and comes back with. */
export interface ConsentRequest {
  /** Names the connection, once. */
  state: string
  /** Of PKCE, where the platform has it. */
  verifier: string
  redirectUri: string
}

export type RefreshResult =
  | { kind: 'renewed'; tokens: Tokens }
  /** The platform will not renew it: the user has to connect the account anew. */
  | { kind: 'refused' }

/** What each of these throws is `NotSent` or `NoAnswer` (`lib/platforms/failures.ts`), a refusal of ours, or a fault. */
export interface Connector {
  platform: PlatformId
  refresh(deps: ConnectDeps, tokens: Tokens, settings: AccountSettings): Promise<RefreshResult>
  /** Who the account is now; null where the token is refused. */
  identify(deps: ConnectDeps, access: string, settings: AccountSettings): Promise<AccountIdentity | null>
}

/** Where the user consents on the platform's own page. */
export interface ConsentConnector extends Connector {
  consentUrl(client: OAuthClient, consent: ConsentRequest): Promise<string>
  /** One account at least, each with tokens of its own; where there are several, as there may be Pages, the user has one of them connected. */
  exchange(deps: ConnectDeps, consent: ConsentRequest, code: string): Promise<ConnectedAccount[]>
}

/** Where the user makes a password for us alone, and can take it back: the password is used once and kept nowhere. */
export interface PasswordConnector extends Connector {
  signIn(deps: ConnectDeps, password: AppPassword): Promise<ConnectedAccount>
}

export interface AppPassword {
  /** The address of the server that knows the account; null for the platform's usual one. */
  service: string | null
  /** A handle, or what else the server knows the user by. */
  identifier: string
  password: string
}

/** What an account needs and the platform tells when it is connected, such as a board: under the names that its publisher reads. */
export type AccountSettings = Readonly<Record<string, string>>

export interface ConnectedAccount {
  identity: AccountIdentity
  tokens: Tokens
  settings: Record<string, string>
}
