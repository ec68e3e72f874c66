/**
 * Seals tokens for storage, and unseals them. Called where tokens are stored or used; plain tokens exist in memory only
 * and are never logged.
 */
import { seal, unseal } from '../../aws/sealing.ts'
import { newSealedTokens, tokensSealingContext } from '../../domain/accounts/token-refresh.ts'
import type { Account } from '../../domain/records/account.ts'
import type { SealedTokens, Tokens } from '../../domain/records/tokens.ts'

/** `before`: the pair that this one replaces, if any. */
export const sealTokens = async (
  account: Account,
  tokens: Tokens,
  before: SealedTokens | undefined,
  now: string,
): Promise<SealedTokens> => {
  const sealed = await seal(JSON.stringify(tokens), tokensSealingContext(account))
  return newSealedTokens(account, before, { sealed, tokens }, now)
}

export const unsealTokens = async (account: Account, { sealed }: SealedTokens): Promise<Tokens> =>
  JSON.parse(await unseal(sealed, tokensSealingContext(account))) as Tokens
