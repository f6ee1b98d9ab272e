import { mcpUrl, type Target } from '../assistants/target.ts'
import { addressesWithVisibility } from '../oauth/public-view.ts'
import { checkSignInSteps } from '../ops/discovery/check.ts'
import { print } from './command.ts'
import { exitCodes } from './exit.ts'
import { findingLine } from './findings.ts'

/** Follows the steps of an assistant that signs in without a key, and reports each. */
export async function checkSignIn(
  { baseUrl, selection }: Pick<Target, 'baseUrl' | 'selection'>,
  asJson: boolean | undefined,
): Promise<void> {
  const url = mcpUrl(baseUrl, selection)
  const findings = await checkSignInSteps(url, addressesWithVisibility)
  const ok = findings.every(({ state }) => state !== 'fail')
  if (!ok) process.exitCode = exitCodes.refused
  print(asJson, { ok, url, findings }, () =>
    [
      ...findings.map(findingLine),
      '',
      ok
        ? `An assistant that signs in can be connected: give it ${url}.`
        : `No assistant that signs in can be connected at ${url} yet.`,
    ].join('\n'),
  )
}
