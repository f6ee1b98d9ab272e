import { DoctorFindings, type DoctorFinding } from './finding.ts'

const requestTimeoutMs = 3000

/** Checks that the workspace answers at its public address. `url`: of the running server, if any. */
export async function checkServer(
  running: { pid: number; url: string } | undefined,
  baseUrl: string,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('server')
  if (!running) {
    findings.ok('No server is running on this folder.')
    return findings.all
  }
  const answer = await probeHealth(running.url)
  if (answer === 'ok') findings.ok(`Process ${running.pid} answers at ${running.url}.`)
  else if (answer === 'untrusted')
    findings.warn(
      `Process ${running.pid} answers at ${running.url}, with a certificate that programs do not trust by default.`,
      'use one from a known authority, or trust it: NODE_EXTRA_CA_CERTS=<certificate>',
    )
  else if (running.url === baseUrl)
    findings.warn(
      `Process ${running.pid} runs, but ${running.url} does not answer from this machine: ${answer}.`,
      'check the proxy and DNS; it may work from elsewhere',
    )
  else
    findings.fail(
      `Process ${running.pid} runs, but does not answer at ${running.url}: ${answer}.`,
      `see its log; if it hangs: kill ${running.pid}, then workspace serve`,
    )
  return findings.all
}

/** `ok`, `untrusted` if it answers but its certificate cannot be verified, or why it does not answer. */
async function probeHealth(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(requestTimeoutMs),
      redirect: 'error',
    })
    return answer.ok ? 'ok' : `status ${answer.status}`
  } catch (error) {
    const { cause, message } = error as Error
    if (
      /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(
        String((cause as { code?: string } | undefined)?.code),
      )
    )
      return 'untrusted'
    return (cause as Error | undefined)?.message ?? message
  }
}
