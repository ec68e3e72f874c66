/** Tokens between their use and their rest: in clear they are in memory alone, and never in a log. */
import { seal, unseal } from '../../aws/sealing.ts'
import type { Tokens } from '../../domain/accounts/profiles.ts'
import { newSealedTokens, tokensSealingContext } from '../../domain/accounts/tokens.ts'
import type { Account } from '../../domain/records/account.ts'
import type { SealedTokens } from '../../domain/records/tokens.ts'

/** The pair as it is stored, in the place of `before` where there is one. */
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
