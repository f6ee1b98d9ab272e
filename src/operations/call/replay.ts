import { argumentsHash } from '../arguments.ts'
import type { Entry } from '../entry.ts'
import { refuseLeakedKeys } from './live-keys.ts'
import { findFirstAnswer, storeAnswer, type ReplayKey } from './replays.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import { operationOf, type Arguments, type Call } from './call.ts'
import { record } from './log.ts'
import type { Answer } from './request.ts'

/** Refuses arguments that contain an API key. An idempotency key from a header is stored like an argument. */
export async function checkLeakedKeys({ app, request, args }: Call): Promise<void> {
  await refuseLeakedKeys(app, { idempotency_key: request.idempotencyKey, ...args })
}

/** Removes the idempotency key from the arguments; undefined if the operation does not use one. */
export function takeIdempotencyKey(call: Call, args: Arguments): string | undefined {
  const { operation } = operationOf(call)
  const { idempotency_key } = args
  delete args.idempotency_key
  if (operation.kind === 'read' || (operation.idempotent && !call.request.cause)) return undefined
  const key =
    call.idempotencyKey ?? (idempotency_key as string | undefined) ?? call.request.idempotencyKey // called again if a write turns out to need approval
  if (key !== undefined) call.idempotencyKey = key
  return key
}

/** Returns the first answer to the same call with the same idempotency key; recorded as a separate call. */
export async function replayFirstAnswer(
  call: Call,
  key: string,
  args: Arguments,
): Promise<Answer | undefined> {
  const firstAnswerRow = await findFirstAnswer(
    call.app.store.write,
    call.now,
    replayKeyOf(call, key, args),
  )
  if (!firstAnswerRow) return undefined
  await record(call, { status: 'ok' })
  return { value: firstAnswerRow.value, callId: firstAnswerRow.call_id, replayed: true }
}

/** Stores the first answer for later calls with the same idempotency key. */
export async function storeFirstAnswer(
  call: Call,
  scope: AccessScope,
  value: unknown,
): Promise<void> {
  const { idempotencyKey } = call
  if (!idempotencyKey) return
  await storeAnswer(scope.all, call.now, replayKeyOf(call, idempotencyKey, call.args), {
    call_id: call.id,
    value: withoutSecrets(operationOf(call), value),
  })
}

/** Removes values that are shown only once, so that they are not stored. */
export function withoutSecrets(
  { operation: { redactOnReplay: secretFields } }: Entry,
  value: unknown,
): unknown {
  if (!secretFields) return value
  return Object.fromEntries(
    Object.entries(value as object).filter(([name]) => !secretFields.includes(name)),
  )
}

function replayKeyOf(call: Call, key: string, args: Arguments): ReplayKey {
  return {
    actor_id: call.actor.id,
    key_id: call.actor.key?.id ?? '',
    tool: operationOf(call).operation.name,
    idempotency_key: key,
    arguments_hash: argumentsHash(args),
  }
}
