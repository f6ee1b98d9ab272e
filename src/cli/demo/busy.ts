// Assistants of `workspace demo --serve --busy`, acting like separate programs: over MCP, at the public address.

import { setTimeout as wait } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { App } from '../../operations/app.ts'
import { httpStatusOf } from '../../assistants/trouble.ts'
import type { Call, CallOutcome } from '../../demo/busy/assistant.ts'
import { busyAssistants, runAssistants, type BusyAssistant } from '../../demo/busy/busy.ts'
import { systemClock } from '../../kernel/time/clock.ts'
import { requirePerson } from '../../identity/people.ts'
import { issueKey } from '../../keys/issue.ts'
import type { Studio } from '../../demo/seeder.ts'
import { errorLog } from '../log.ts'

/** An assistant of the demo with its key. */
export interface DemoAssistant {
  name: string
  /** The email address of its owner. */
  of: string
  assistant: BusyAssistant
  key_id: string
  key: string
}

/** Creates a key for each assistant. */
export async function createAssistants({ store }: App, studio: Studio): Promise<DemoAssistant[]> {
  const created: DemoAssistant[] = []
  for (const assistant of busyAssistants) {
    const { name, person, holdOutbound } = assistant
    const email = studio.email(person)
    const { id: owner } = await requirePerson(store, email)
    const { id, key } = await issueKey(store, systemClock, {
      owner,
      name,
      holdOutbound,
      via: 'cli',
    })
    created.push({ name, of: email, assistant, key_id: id, key })
  }
  return created
}

/** Runs them against a server until the process is stopped. */
export function startBusy(
  mcpUrl: string,
  assistants: readonly DemoAssistant[],
  { seed, paceMs }: { seed: number; paceMs: number },
): void {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort())
  const run = runAssistants({
    assistants: assistants.map(({ assistant, name, key }) => ({
      assistant,
      call: callOverConnection({ url: mcpUrl, key, name, signal: stop.signal }),
    })),
    seed,
    paceMs,
    signal: stop.signal,
    report: (name, what) => errorLog.info('a demo assistant acted', { name, what }),
  })
  run.then(
    (callCount) => errorLog.info('the demo assistants have finished', { acts: callCount }),
    (error: Error) =>
      errorLog.error('the demo assistants have failed', { error: error.stack ?? error.message }),
  )
}

interface ConnectionOptions {
  url: string
  key: string
  name: string
  signal: AbortSignal
}

/**
 * Calls over one connection, opened at the first call and reopened after it breaks. Beyond its rate limit it waits as
 * long as instructed.
 */
function callOverConnection({ url, key, name, signal }: ConnectionOptions): Call {
  let connecting: Promise<Client> | undefined
  const callOnce: Call = async (tool, args) => {
    connecting ??= connect(url, key, name)
    try {
      const client = await connecting
      return demoCallOutcome(await client.callTool({ name: tool, arguments: args }, { signal }))
    } catch (error) {
      connecting = undefined
      throw new Error(`${tool}: ${httpStatusOf(error) ?? (error as Error).message}`, {
        cause: error,
      })
    }
  }
  return async (tool, args) => {
    for (;;) {
      const outcome = await callOnce(tool, args)
      if (outcome.ok || outcome.code !== 'rate_limited') return outcome
      await wait(1000 * Number(outcome.context.retry_after_seconds ?? 1), undefined, { signal })
    }
  }
}

async function connect(url: string, key: string, name: string): Promise<Client> {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

function demoCallOutcome({
  structuredContent,
  isError,
}: Awaited<ReturnType<Client['callTool']>>): CallOutcome {
  const value = structuredContent as Record<string, unknown>
  if (isError !== true) return { ok: true, value }
  const { code, message, ...context } = value
  return { ok: false, code: String(code), message: String(message), context }
}
