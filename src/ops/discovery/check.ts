import type { DoctorFinding } from '../doctor/finding.ts'
import { addressTroubles, type AddressesOf } from './address.ts'
import { Obstacle } from './requests.ts'
import { walkToConsent } from './consent.ts'
import { findAuthorizationServer, type TellStep } from './server.ts'

/** Slow if above this: hosted assistants give up after ten seconds in total. */
const slowMs = 3000

/** All steps of an assistant that signs in, up to the page on which a person decides. */
export async function checkSignInWay(
  resource: string,
  addressesOf: AddressesOf,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  const troubles = await addressTroubles(new URL(resource), addressesOf)
  for (const { says, fix, isFinal } of troubles)
    findings.push({ check: 'address', state: isFinal ? 'fail' : 'warn', says, fix })
  if (troubles.some(({ isFinal }) => isFinal)) return findings
  const tell: TellStep = (check, says) => void findings.push({ check, state: 'ok', says })
  findings.push(
    ...(await hindrances(async () => {
      await walkToConsent(await findAuthorizationServer(resource, tell), resource, tell)
    })),
  )
  return findings
}

/** Runs a check path and returns its findings; empty if it completed in time. */
export async function hindrances(way: () => Promise<void>): Promise<DoctorFinding[]> {
  const began = performance.now()
  try {
    await way()
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error
    return [
      {
        check: 'oauth',
        state: 'fail',
        says: `A hosted assistant cannot connect: ${error.message}`,
        fix: `${error.fix}; this was tried from this machine, which may see another way than the internet does`,
      },
    ]
  }
  const spent = performance.now() - began
  if (spent <= slowMs) return []
  return [
    {
      check: 'oauth',
      state: 'warn',
      says: `Discovery took ${(spent / 1000).toFixed(1)} s; hosted assistants give up after 10 s.`,
      fix: 'look at the proxy, the DNS and the load of the server',
    },
  ]
}
