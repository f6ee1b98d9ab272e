import type { Store } from '../../db/open.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

/** Checks an issuer like a sign-in would. @throws Error with the problem as its message */
export type InspectIssuer = (issuer: string) => Promise<void>

/** Whether the identity providers are reachable, and SCIM tokens that expire soon; on either database. */
export async function checkSignIn(
  db: Store['read'],
  now: number,
  inspect: InspectIssuer,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('sign-in')
  const providers = await db
    .selectFrom('sso_providers')
    .select(['id', 'name', 'issuer'])
    .orderBy('name')
    .orderBy('id')
    .execute()
  for (const { id, name, issuer } of providers)
    try {
      await inspect(issuer)
    } catch (error) {
      findings.warn(
        `People cannot sign in at ${name}: ${(error as Error).message}.`,
        `workspace sso check ${id}`,
      )
    }
  for (const { name, provider } of await expiringTokens(db, now))
    findings.warn(
      `The SCIM token "${name}" of ${provider} ends within two weeks.`,
      `workspace sso scim create ${JSON.stringify(provider)}`,
    )
  if (findings.all.length === 0)
    findings.ok(
      providers.length === 0
        ? 'No identity provider is set up.'
        : `Identity providers that answer, with their keys: ${providers.length}.`,
    )
  return findings.all
}

function expiringTokens(db: Store['read'], now: number) {
  return db
    .selectFrom('scim_tokens')
    .innerJoin('sso_providers', 'sso_providers.id', 'scim_tokens.provider_id')
    .select(['scim_tokens.name', 'sso_providers.name as provider'])
    .where('scim_tokens.revoked_at', 'is', null)
    .where('scim_tokens.expires_at', '>=', now)
    .where('scim_tokens.expires_at', '<=', now + 14 * 24 * 3_600_000)
    .orderBy('scim_tokens.expires_at')
    .execute()
}
