import type Database from 'better-sqlite3'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

/** Looks at an issuer as a sign-in would. @throws Error that says what is wrong */
export type InspectIssuer = (issuer: string) => Promise<void>

/** Whether the identity providers can be reached, and SCIM tokens that end soon. */
export async function checkSignIn(
  db: Database.Database,
  now: number,
  inspect: InspectIssuer,
): Promise<DoctorFinding[]> {
  const found = new DoctorFindings('sign-in')
  const providers = db
    .prepare('SELECT id, name, issuer FROM sso_providers ORDER BY name, id')
    .all() as { id: string; name: string; issuer: string }[]
  for (const { id, name, issuer } of providers)
    try {
      await inspect(issuer)
    } catch (error) {
      found.warn(
        `People cannot sign in at ${name}: ${(error as Error).message}.`,
        `workspace sso check ${id}`,
      )
    }
  for (const { name, provider } of tokensEnding(db, now))
    found.warn(
      `The SCIM token "${name}" of ${provider} ends within two weeks.`,
      `workspace sso scim create ${JSON.stringify(provider)}`,
    )
  if (found.all.length === 0)
    found.ok(
      providers.length === 0
        ? 'No identity provider is set up.'
        : `Identity providers that answer, with their keys: ${providers.length}.`,
    )
  return found.all
}

function tokensEnding(db: Database.Database, now: number) {
  return db
    .prepare(
      `SELECT t.name, p.name AS provider FROM scim_tokens t JOIN sso_providers p ON p.id = t.provider_id
       WHERE t.revoked_at IS NULL AND t.expires_at BETWEEN ? AND ? ORDER BY t.expires_at`,
    )
    .all(now, now + 14 * 24 * 3_600_000) as { name: string; provider: string }[]
}
