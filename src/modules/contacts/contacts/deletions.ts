import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { jobKind } from '../../../operations/jobs/job.ts'
import { operation } from '../../../operations/operation.ts'
import { denied, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { contact } from '../access.ts'
import { eraseContact, eraseRemains, isImportRunning, mergedInto } from './access-erasure.ts'

const DeletedContact = DeletedRef.extend({
  erased: z
    .record(z.string(), z.int())
    .optional()
    .describe('erase: number of rows affected, by location'),
  job_id: z
    .string()
    .optional()
    .describe(
      'erase: the job that permanently removes the text from the search index; search does not find it any more',
    ),
  remains: z.array(z.string()).optional().describe('erase: what remains'),
})

const remainingCopies = [
  'Text written elsewhere by colleagues: tasks, pages, chat, meetings, deals, and interactions shared with other contacts.',
  'Files from which contacts were imported, and existing backups.',
  'Data already sent out by webhooks and automations.',
]

export const deleteContact = operation({
  name: 'delete_contact',
  searchHint: 'GDPR, forget a person, right to be forgotten, remove a client, data deletion',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/contacts/{contact_id}',
  about: 'Move a contact to the trash, or erase it permanently on a data request (admins)',
  on: { contact: contact.own.anywhere },
  input: {
    erase: z
      .boolean()
      .default(false)
      .describe('permanently, everywhere it is stored, even from the trash; administrators only'),
  },
  dryRun: true,
  undoCaveat: 'Erasing is permanent and cannot be undone.',
  output: DeletedContact,
  async handle({ contact: targetContact, erase }, ctx) {
    const row = await resolveMerged(ctx, targetContact)
    if (erase) return erasePermanently(ctx, row)
    if (row.deleted_at !== null) throw notFound('contact', 'contact_id')
    await ctx.trash('contacts', row)
    return deletedRef(ctx, contact.ref(row, ctx.baseUrl))
  },
})

/** Replaces a contact that was merged by the one it was merged into. */
async function resolveMerged(ctx: WriteContext, row: Row<'contacts'>): Promise<Row<'contacts'>> {
  const mergedIntoId = row.deleted_at === null ? undefined : await mergedInto(ctx, row)
  return mergedIntoId === undefined ? row : contact.demand(ctx, mergedIntoId, 'own', 'contact_id')
}

async function erasePermanently(
  ctx: WriteContext,
  row: Row<'contacts'>,
): Promise<z.infer<typeof DeletedContact>> {
  if (!isAdmin(ctx.actor))
    throw denied(
      'Only administrators may erase contacts permanently.',
      'Without erase, it moves to the trash and is deleted later.',
    )
  if (await isImportRunning(ctx))
    throw new Refusal('conflict', 'An import of contacts is running and may include this one.', {
      hint: 'Erase it after the import.',
      retry_after_seconds: 60,
    })
  const counts = await eraseContact(ctx, row)
  const job = ctx.dryRun
    ? undefined
    : await ctx.job(forgetWordsJob, { call_id: ctx.callId, contact_id: row.id })
  const {
    restorable_until: _,
    undo_call_id: __,
    ...ref
  } = await deletedRef(ctx, {
    type: 'contact',
    id: row.id,
    title: 'Erased contact',
    url: contact.url(row, ctx.baseUrl),
  })
  return omitNullish({ ...ref, erased: counts, remains: remainingCopies, job_id: job })
}

const forgetWordsJob = 'forget_contact'

export const forgetContact = jobKind({
  name: forgetWordsJob,
  about: 'Permanently removes the text of an erased contact from the search index',
  args: z.strictObject({ call_id: z.string(), contact_id: z.string() }),
  concurrency: 1,
  async run({ call_id, contact_id }, job) {
    let runs = 1
    for (
      let more = await job.write((system) => eraseRemains(system, call_id, contact_id, true));
      more && !job.signal.aborted;
      runs++
    )
      more = await job.write((system) => eraseRemains(system, call_id, contact_id, false))
    job.signal.throwIfAborted()
    return { pieces: runs }
  },
})
