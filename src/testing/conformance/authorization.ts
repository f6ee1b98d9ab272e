// The suite's scenarios for authorization servers. It prints the address that a person would open, and waits at its
// callback; here, the person is a signed-in script.

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allow, readRedirect, register } from '../../http/oauth/testing.ts'
import { Browser, givePasswords } from '../browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../server.ts'
import { mainOf, verdictsOf, type SuiteRun } from './suite.ts'

const timeoutMs = 60_000

/** Runs them against a new workspace. */
export async function runAuthorization(): Promise<SuiteRun> {
  const served = await serveWorkspace()
  const folder = mkdtempSync(join(tmpdir(), 'workspace-conformance-'))
  const began = performance.now()
  try {
    const { exitCode, output } = await runSuite(served, folder)
    return {
      name: 'authorization',
      verdicts: verdictsOf(folder, new Set(), output),
      milliseconds: performance.now() - began,
      exitCode,
      output,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await served.close()
  }
}

async function runSuite(
  served: ServedWorkspace,
  folder: string,
): Promise<{ exitCode: number; output: string }> {
  await givePasswords(served, served.bob)
  const bob = await new Browser(served).signIn('bob@acme.test')
  const port = await freePort()
  const clientId = await register(served, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const args = [
    ...['authorization', '--url', served.url, '--client-id', clientId],
    ...['--resource', `${served.url}/mcp`, '--port', String(port), '--output-dir', folder],
  ]
  const child = spawn(process.execPath, [mainOf('mcp-conformance-next'), ...args], {
    timeout: timeoutMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let isOpened = false
  const read = (part: string) => {
    output += part
    const address = /http\S+\/oauth\/authorize\?\S+/.exec(output)?.[0]
    if (address === undefined || isOpened) return
    isOpened = true
    open(bob, new URL(address)).catch((error: unknown) => {
      output += String(error)
      child.kill()
    })
  }
  child.stdout.setEncoding('utf8').on('data', read)
  child.stderr.setEncoding('utf8').on('data', read)
  const exitCode = await new Promise<number>((resolve) =>
    child.once('close', (code) => resolve(code ?? 1)),
  )
  return { exitCode, output }
}

/** Opens the program's authorization address, allows it, and returns to the program. */
async function open(browser: Browser, address: URL): Promise<void> {
  const { location } = await readRedirect(address)
  await fetch(await allow(browser, location))
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}
