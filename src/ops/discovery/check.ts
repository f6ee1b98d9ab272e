import type { DoctorFinding } from '../doctor/finding.ts'
import { addressTroubles, type AddressesOf } from './address.ts'
import { Obstacle } from './requests.ts'
import { checkConsentFlow } from './consent.ts'
import { findAuthorizationServer, type ReportStep } from './server.ts'

/** Slow if above this: hosted assistants give up after ten seconds in total. */
const slowMs = 3000

/** Checks all steps of an assistant that signs in, up to the page on which a person decides. */
export async function checkSignInSteps(
  resource: string,
  addressesOf: AddressesOf,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  const troubles = await addressTroubles(new URL(resource), addressesOf)
  for (const { says, fix, isBlocking } of troubles)
    findings.push({ check: 'address', state: isBlocking ? 'fail' : 'warn', says, fix })
  if (troubles.some(({ isBlocking }) => isBlocking)) return findings
  const report: ReportStep = (check, says) => void findings.push({ check, state: 'ok', says })
  findings.push(
    ...(await obstacleFindings(async () => {
      await checkConsentFlow(await findAuthorizationServer(resource, report), resource, report)
    })),
  )
  return findings
}

/** Runs a check path and returns its findings; empty if it completed in time. */
export async function obstacleFindings(runSteps: () => Promise<void>): Promise<DoctorFinding[]> {
  const startedAt = performance.now()
  try {
    await runSteps()
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error
    return [
      {
        check: 'oauth',
        state: 'fail',
        says: `A hosted assistant cannot connect: ${error.message}`,
        fix: `${error.fix}; this was tried from this machine, which may reach it by another route than the internet`,
      },
    ]
  }
  const elapsedMs = performance.now() - startedAt
  if (elapsedMs <= slowMs) return []
  return [
    {
      check: 'oauth',
      state: 'warn',
      says: `Discovery took ${(elapsedMs / 1000).toFixed(1)} s; hosted assistants give up after 10 s.`,
      fix: 'look at the proxy, the DNS and the load of the server',
    },
  ]
}
