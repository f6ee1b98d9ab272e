import { z } from 'zod'
import type { WriteContext } from '../../operations/context.ts'
import type { Id } from '../../kernel/ids.ts'
import { jobKind, type JobContext } from '../../operations/jobs/job.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import { Unreachable } from '../../outbound/guard.ts'
import {
  activeWebhook,
  changeAt,
  changeDelivery,
  dropDelivery,
  nextDelivery,
  nextDue,
  recordHealth,
  type DeliveryRow,
  type WebhookRow,
} from './access-deliveries.ts'
import {
  asideAfter,
  maxFailedDeliveries,
  maxFailingMs,
  isGone,
  isRefused,
  isSuccess,
  maxAttempts,
  delayAfter,
  retryAfter,
  type AttemptOutcome,
} from './attempts.ts'
import { pauseWebhook, type PauseReason } from './pauses.ts'
import { payloadOf } from './payloads.ts'
import { rotationOverlapMs, signedHeaders } from './signing.ts'

const timeout = 5_000
const maxRequests = 100 // so that other webhooks have their turn
const args = z.strictObject({ webhook_id: z.string() })

/**
 * Sends the pending deliveries of a webhook, one by one in the order of the changes. Only one such job runs per
 * webhook.
 */
export const deliverWebhook = jobKind({
  name: 'deliver_webhook',
  about: 'Sends the queued events of a webhook',
  args,
  concurrency: 4,
  async run({ webhook_id }, job) {
    let sent = 0
    for (; sent < maxRequests; sent++) {
      const next = await job.write((system) => beginAttempt(system, webhook_id))
      if (!next) break
      if (next === 'dropped') continue
      const outcome = await attemptDelivery(job, next)
      await job.write((system) => recordOutcome(system, job, next, outcome))
    }
    await job.write((system) => scheduleNext(system, webhook_id))
    return { sent }
  },
})

/** Scheduled for a later moment: the job above is unique per webhook and cannot both run and wait. */
export const wakeWebhook = jobKind({
  name: 'wake_webhook',
  about: 'Requests the next attempt of a webhook when it is due',
  args,
  async run({ webhook_id }, job) {
    await job.write(async (system) => {
      const webhook = await activeWebhook(system, webhook_id)
      if (webhook) await system.as(webhook.owner_id, (ctx) => requestDelivery(ctx, webhook.id))
    })
  },
})

export async function requestDelivery(ctx: WriteContext, webhookId: Id<'webhooks'>): Promise<void> {
  await ctx.job(
    deliverWebhook.name,
    { webhook_id: webhookId },
    { uniqueKey: webhookId, whileRunning: 'again' },
  )
}

interface Attempt {
  webhook: WebhookRow
  delivery: DeliveryRow
  secrets: string[]
  body: string
}

/**
 * Starts the next attempt: counts it, and builds the payload with the owner's current access. Items that they can no
 * longer see are not sent, without a trace.
 */
async function beginAttempt(
  system: TickContext,
  webhookId: string,
): Promise<Attempt | 'dropped' | undefined> {
  const webhook = await activeWebhook(system, webhookId)
  const delivery = webhook && (await nextDelivery(system, webhook.id))
  if (!delivery) return undefined
  if (delivery.attempts >= maxAttempts) return markFailed(system, delivery) // the process ended in its last attempt
  return system.as(webhook.owner_id, async (ctx) => {
    const change = await changeAt(ctx, delivery.change_seq)
    const payload = change && (await payloadOf(ctx, change, delivery.event))
    if (!payload) return dropDelivery(system, delivery.id).then(() => 'dropped' as const)
    const body = JSON.stringify(payload)
    const attempts = delivery.attempts + 1
    await changeDelivery(system, delivery.id, { attempts, payload_json: body }) // still due: if the process ends now, the next one sends it at once
    return {
      webhook,
      delivery: { ...delivery, attempts },
      secrets: await secretsOf(ctx, webhook),
      body,
    }
  })
}

async function markFailed(system: TickContext, delivery: DeliveryRow): Promise<'dropped'> {
  await changeDelivery(system, delivery.id, {
    status: 'failed',
    next_attempt_at: null,
    finished_at: system.now,
  })
  return 'dropped'
}

async function secretsOf(ctx: WriteContext, webhook: WebhookRow): Promise<string[]> {
  const names =
    webhook.rotated_at !== null && ctx.now - webhook.rotated_at < rotationOverlapMs
      ? ['secret', 'previous_secret']
      : ['secret']
  const secrets = await Promise.all(
    names.map((name) => ctx.secrets.read('webhooks', webhook, name)),
  )
  return secrets.filter((secret) => secret !== undefined)
}

/** `Workspace-Webhook` marks our requests, so that they are not mistaken for a new event. */
async function attemptDelivery(
  job: JobContext,
  { webhook, delivery, secrets, body }: Attempt,
): Promise<AttemptOutcome> {
  if (secrets.length === 0) {
    job.log.error('a webhook has no secret to sign with, and sends nothing', {
      webhook: webhook.id,
    })
    return { code: undefined }
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Workspace-Webhooks/1',
    'workspace-webhook': webhook.id,
    ...signedHeaders(secrets, delivery.id, job.now(), body),
  }
  try {
    const { status, headers: responseHeaders } = await job.outbound.request(
      webhook.address,
      { method: 'POST', headers, body },
      { timeoutMs: timeout, signal: job.signal },
    )
    return { code: status, retryAfter: retryAfter(responseHeaders['retry-after'], job.now()) }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    job.signal.throwIfAborted()
    return { code: undefined }
  }
}

async function recordOutcome(
  system: TickContext,
  job: JobContext,
  { webhook, delivery }: Attempt,
  outcome: AttemptOutcome,
): Promise<void> {
  const response_code = outcome.code ?? null
  if (isSuccess(outcome)) {
    await changeDelivery(system, delivery.id, {
      status: 'delivered',
      response_code,
      next_attempt_at: null,
      finished_at: system.now,
    })
    return recordHealth(system, webhook.id, {
      failures: 0,
      failing_since_at: null,
      last_delivery_at: system.now,
    })
  }
  const isFinal = delivery.attempts >= maxAttempts || isGone(outcome)
  const aside = isRefused(outcome) || delivery.attempts >= asideAfter ? 1 : delivery.aside
  await changeDelivery(
    system,
    delivery.id,
    isFinal
      ? { status: 'failed', response_code, next_attempt_at: null, finished_at: system.now }
      : {
          response_code,
          aside,
          next_attempt_at: system.now + delayAfter(delivery.attempts, outcome.retryAfter),
        },
  )
  await recordFailure(system, job, webhook, outcome, isFinal)
}

async function recordFailure(
  system: TickContext,
  job: JobContext,
  { id }: WebhookRow,
  outcome: AttemptOutcome,
  isOver: boolean,
): Promise<void> {
  const webhook = await activeWebhook(system, id)
  if (!webhook) return // paused or deleted during the attempt
  const failing_since_at = webhook.failing_since_at ?? system.now
  const failures = webhook.failures + (isOver ? 1 : 0)
  await recordHealth(system, id, { failing_since_at, failures })
  const isFailing =
    failures >= maxFailedDeliveries ||
    (job.mayErase() && system.now - failing_since_at >= maxFailingMs)
  if (!isGone(outcome) && !isFailing) return
  const reason: PauseReason = isGone(outcome) ? 'gone' : 'failing'
  await system.as(webhook.owner_id, (ctx) => pauseWebhook(ctx, webhook, reason))
  job.log.warn('a webhook was paused because it fails', {
    webhook: id,
    owner: webhook.owner_id,
    why: reason,
  })
}

/** Schedules the next attempt for when it is due. */
async function scheduleNext(system: TickContext, webhookId: string): Promise<void> {
  const webhook = await activeWebhook(system, webhookId)
  const due = webhook && (await nextDue(system, webhook.id))
  if (due === undefined) return
  await system.as(webhook!.owner_id, async (ctx) => {
    if (due <= system.now) await requestDelivery(ctx, webhook!.id)
    else
      await ctx.job(
        wakeWebhook.name,
        { webhook_id: webhookId },
        { runAt: due, uniqueKey: webhookId, whileRunning: 'again' },
      )
  })
}
