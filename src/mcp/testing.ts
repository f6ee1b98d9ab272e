import { ProtocolError } from '@modelcontextprotocol/server'
import type { Actor } from '../kernel/actor.ts'
import type { Someone, TestWorkspace } from '../testing/harness.ts'
import type { Caller } from './caller.ts'
import { surfaceOf } from './surface/surface.ts'

/** Someone's assistant on the plain address or another one; optionally with a key. */
export function assistantOf(
  { app }: TestWorkspace,
  who: Someone,
  options: { key?: Actor['key']; path?: string } = {},
): Caller {
  const actor = { ...who.actor, via: 'mcp' as const, key: options.key }
  const surface = surfaceOf(app, options.key, {
    url: `http://workspace.test${options.path ?? '/mcp'}`,
    headers: new Headers(),
  })
  return { actor, surface, requestId: 'test-request', ip: '127.0.0.1', client: { name: 'test' } }
}

/** The protocol error with which a promise rejects. */
export async function errorOf(work: Promise<unknown>): Promise<ProtocolError> {
  try {
    await work
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
  throw new Error('It was expected to be refused, and was not.')
}
