import { tokenHash } from '../../../keys/tokens.ts'
import type { OpenPage, OpenPlace, OpenSent } from '../../../operations/public-pages.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { automationOfHook, isOwnWebhook } from './access-feed.ts'
import { addRun } from '../runs/access.ts'
import { countRecent } from '../runs/access-quotas.ts'
import { continueRun } from '../runs/continuations.ts'

const maxBytes = 64 * 1024
const maxNesting = 32
const minute = 60_000
const perMinute = 60

/** Public endpoint that triggers automations: knowing the address is enough. The payload is treated as data only. */
export const webhookEndpoint: OpenPlace = {
  path: '/hooks/:token',
  async read() {
    return undefined // it is only posted to
  },
  async post(sent) {
    const wait = sent.spend('hooks', { perMinute: 2 * perMinute, burst: 2 * perMinute })
    if (wait > 0) throw rateLimited(wait)
    const hash = tokenHash(sent.params.token ?? '')
    if (!(await automationOfHook(sent, hash))) return undefined
    const payload = await payloadIn(sent)
    const isAccepted = await sent.write('automation_hook', (system) =>
      receiveHook(system, sent, hash, payload),
    )
    return isAccepted ? accepted : undefined
  },
}

const accepted: OpenPage = {
  html: '{"accepted":true}',
  styles: '',
  type: 'application/json',
  status: 202,
  isListed: false,
  cache: 'no-store',
}

/** A repeated delivery (by id) has no further effect; neither do webhooks of this instance, which would never end. */
async function receiveHook(
  system: TickContext,
  sent: OpenSent,
  hash: string,
  payload: object,
): Promise<boolean> {
  const automation = await automationOfHook(system, hash)
  if (!automation) return false
  const webhookId = sent.header('workspace-webhook')
  if (webhookId !== undefined && (await isOwnWebhook(system, webhookId))) return true
  if (
    (await countRecent(system, automation.id, 'webhook', system.now - minute, perMinute)) >=
    perMinute
  )
    throw rateLimited(60)
  const id = sent.header('idempotency-key') ?? sent.header('webhook-id')
  const run = await addRun(system.all, system.now, automation, {
    type: 'webhook',
    source: id === undefined ? undefined : `hook:${id.slice(0, 200)}`,
    payload,
  })
  if (run) await continueRun(system, run)
  return true
}

async function payloadIn(sent: OpenSent): Promise<object> {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(sent.contentType))
    throw new Refusal(
      'unsupported_media_type',
      'The body must be JSON.',
      'Send it as Content-Type: application/json.',
    )
  const value = parseHookBody((await sent.body(maxBytes)).toString('utf8'))
  if (isDeeper(value, maxNesting))
    throw new Refusal('invalid_argument', `The body is nested more than ${maxNesting} levels deep.`)
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : { value }
}

function parseHookBody(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text) as unknown
  } catch {
    throw new Refusal('invalid_argument', 'The body is not valid JSON.')
  }
}

/** Iterates by level, since there may be thousands. */
function isDeeper(value: unknown, maxDepth: number): boolean {
  let level = [value]
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap((item) =>
      item !== null && typeof item === 'object' ? Object.values(item) : [],
    )
    if (level.length === 0) return false
  }
  return true
}

function rateLimited(seconds: number): Refusal {
  return new Refusal('rate_limited', `This address accepts ${perMinute} requests per minute.`, {
    hint: 'Try again later.',
    retry_after_seconds: seconds,
  })
}
