import { addressTroubles, type AddressesOf } from '../discovery/address.ts'
import { obstacleFindings } from '../discovery/check.ts'
import { findAuthorizationServer } from '../discovery/server.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

/**
 * Checks that assistants that sign in can discover the sign-in from the address, without changing anything.
 * `running`: the server, if one runs; without a public address, the steps are checked on this machine.
 */
export async function checkDiscovery(
  running: { url: string } | undefined,
  { base_url, oauth }: { base_url: string; oauth: string },
  addressesOf: AddressesOf,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('oauth')
  if (oauth === 'no') findings.ok('Connecting by OAuth is switched off (--oauth no).')
  else if (!running) findings.ok('No server is running on this folder.')
  else if (base_url === '') await checkOAuthDiscovery(new URL(running.url).origin, findings)
  else {
    const url = new URL(base_url)
    const troubles = await addressTroubles(url, addressesOf)
    for (const { says, fix } of troubles) findings.warn(says, fix)
    const isReachable = troubles.every(({ isBlocking }) => isBlocking !== true)
    if (isReachable || oauth === 'yes') await checkOAuthDiscovery(url.origin, findings)
  }
  return findings.all
}

/** A workspace that is not reachable from the internet is valid: obstacles are warnings, not failures. */
async function checkOAuthDiscovery(origin: string, findings: DoctorFindings): Promise<void> {
  const obstacles = await obstacleFindings(async () => {
    await findAuthorizationServer(`${origin}/mcp`, () => {})
  })
  for (const { says, fix } of obstacles) findings.warn(says, fix)
  if (obstacles.length === 0)
    findings.ok(`Assistants find their way from ${origin}/mcp to the sign-in.`)
}
