import { z } from 'zod'
import type { Entry } from '../../../operations/entry.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { freeObject } from '../../../kernel/fields.ts'
import { AnyItemParam } from '../../../records/items.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { webhook } from '../../webhooks/access.ts'
import type { FormField } from '../forms/fields.ts'
import { destinationKinds } from '../shapes.ts'
import { placeholdersIn } from '../forms/templates.ts'

type DestinationKind = (typeof destinationKinds)[number]

export interface Destination {
  kind: Exclude<DestinationKind, 'none'>
  mapping: Record<string, unknown>
}

export const DestinationInput = z
  .strictObject({
    kind: z.enum(destinationKinds),
    mapping: freeObject().optional().describe('such as {"project_id": "ENG", "title": "{{name}}"}'),
  })
  .describe(
    'mapping: arguments of create_task, create_contact, create_deal or create_incident; {{field_id}} inserts an answer, {{*}} all; task needs project_id, incident severity. webhook: webhook_id',
  )

/**
 * Operations that process a response, the first of which creates the item, and the arguments that a mapping must
 * contain.
 */
const creations: Readonly<
  Record<
    Exclude<Destination['kind'], 'webhook'>,
    { operations: readonly string[]; required: readonly string[] }
  >
> = {
  task: { operations: ['create_task_from_source', 'update_task'], required: ['project_id'] },
  contact: { operations: ['create_contact'], required: [] },
  deal: { operations: ['create_deal'], required: [] },
  incident: { operations: ['create_incident'], required: ['severity'] },
}
const reservedArguments = new Set([
  'idempotency_key',
  'expected_revision',
  'dry_run',
  'source_type',
  'source_id',
  'task_id',
])

/**
 * Reads the destination of responses into its stored form; null: none. The caller must be able to use everything that
 * it refers to; whether the author of the form still can is checked with each response.
 * @throws Refusal
 */
export async function readDestination(
  ctx: ReadContext,
  input: z.infer<typeof DestinationInput> | null | undefined,
  fields: readonly FormField[],
): Promise<string | null> {
  if (!input || input.kind === 'none') return null
  const { kind, mapping = {} } = input
  if (JSON.stringify(mapping).length > 20_000)
    throw invalid(
      'destination.mapping',
      'the mapping is too large.',
      'It should contain only placeholders and constants.',
    )
  checkNames(mapping, fields)
  if (kind === 'webhook') return JSON.stringify({ kind, mapping: await readWebhook(ctx, mapping) })
  await checkMapping(ctx, kind, mapping)
  return JSON.stringify({ kind, mapping })
}

/** Requires that a mapping names only fields of the form. */
export function checkNames(mapping: Record<string, unknown>, fields: readonly FormField[]): void {
  const unknown = placeholdersIn(mapping).find(
    (name) => name !== '*' && !fields.some((field) => field.id === name),
  )
  if (unknown !== undefined)
    throw invalid(
      'destination.mapping',
      `{{${unknown}}} is not a field of this form.`,
      `The fields are ${fields.map((field) => field.id).join(', ')}.`,
    )
}

async function checkMapping(
  ctx: ReadContext,
  kind: keyof typeof creations,
  mapping: Record<string, unknown>,
): Promise<void> {
  const { operations, required } = creations[kind]
  const entries = operations.map((name) => requireEntry(ctx, name, kind))
  const missing = required.find((name) => mapping[name] === undefined)
  if (missing !== undefined)
    throw invalid(`destination.mapping.${missing}`, `is required for a ${kind}.`)
  for (const [name, value] of Object.entries(mapping)) {
    const entry = entries.find((item) => acceptsArgument(item, name))
    if (!entry)
      throw invalid(
        `destination.mapping.${name}`,
        `a ${kind} has no such argument.`,
        `Available: ${[...new Set(entries.flatMap((item) => Object.keys(item.schemas.input.shape).filter((arg) => !reservedArguments.has(arg))))].join(', ')}.`,
      )
    await checkValue(ctx, entry, name, value)
  }
}

function requireEntry(ctx: ReadContext, name: string, kind: string): Entry {
  const entry = ctx.catalogue.find(name)
  if (!entry) throw invalid('destination.kind', `this workspace has no ${kind}s.`)
  const refusal = ctx.refusalFor(entry)
  if (refusal) throw refusal // a key may not let a form do what it may not do itself
  return entry
}

function acceptsArgument(entry: Entry, name: string): boolean {
  return !reservedArguments.has(name) && Object.hasOwn(entry.schemas.input.shape, name)
}

async function checkValue(
  ctx: ReadContext,
  entry: Entry,
  name: string,
  value: unknown,
): Promise<void> {
  const path = `destination.mapping.${name}`
  const param = entry.schemas.params.find((wireParam) => wireParam.wire === name)?.param
  const hasPlaceholder = placeholdersIn(value).length > 0
  if (param && hasPlaceholder)
    throw invalid(path, 'an answer may not choose the target by id.', 'Send an id, without {{ }}.')
  if (!hasPlaceholder) checkConstant(entry.schemas.input.shape[name] as z.ZodType, value, path)
  if (!param || param instanceof AnyItemParam || value === null) return
  if (Array.isArray(value))
    await param.resource.requireAll(ctx, value as string[], param.level, path)
  else await param.resource.demand(ctx, value as string, param.level, path)
}

function checkConstant(type: z.ZodType, value: unknown, path: string): void {
  const parsed = type.safeParse(value)
  if (!parsed.success) throw invalid(path, `${parsed.error.issues[0]!.message}.`)
}

/** Reads a webhook destination: a webhook of the caller, who chose its address, that receives responses. */
async function readWebhook(
  ctx: ReadContext,
  mapping: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { webhook_id, ...more } = mapping
  const path = 'destination.mapping.webhook_id'
  if (typeof webhook_id !== 'string' || Object.keys(more).length > 0)
    throw invalid(
      path,
      'a webhook destination must name one of your webhooks and nothing else.',
      'Create one with create_webhook for form.response_received.',
    )
  const row = await webhook.demand(ctx, webhook_id, 'edit', path)
  const events = JSON.parse(row.events_json) as string[]
  if (!events.includes('form.response_received') && !events.includes('form.*'))
    throw invalid(
      path,
      `"${row.name}" does not receive form.response_received.`,
      'Add the event with update_webhook.',
    )
  if (row.active === 0)
    throw invalid(path, `"${row.name}" is paused.`, 'Resume it with update_webhook.')
  return { webhook_id: row.id }
}
