import { z } from 'zod'
import { isAdmin } from '../../core/actor.ts'
import type { WriteContext } from '../../core/context.ts'
import { jobKind } from '../../core/jobs.ts'
import { operation } from '../../core/operation.ts'
import { denied, notFound, Refusal } from '../../core/refusal.ts'
import type { Row } from '../../core/resource.ts'
import { DeletedRef, deletedRef } from '../activity/shapes.ts'
import { contact } from './access.ts'
import { eraseContact, forgetRest, isImporting, keptFor } from './access-erasing.ts'

const DeletedContact = DeletedRef.extend({
  erased: z.record(z.string(), z.int()).optional().describe('erase: from how many rows something was erased, by where'),
  job_id: z.string().optional().describe('erase: the job that takes the words out of the search index for good; they are found no more from now on'),
  remains: z.array(z.string()).optional().describe('erase: what this does not reach'),
})

const remains = [
  'Texts that colleagues wrote elsewhere: tasks, pages, chat, meetings, deals, and what was said with others, too.',
  'Files from which contacts were imported, and backups made before.',
  'What webhooks and automations have sent outside.',
]

export const deleteContact = operation({
  name: 'delete_contact',
  searchHint: 'GDPR, forget a person, right to be forgotten, remove a client, data deletion',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/contacts/{contact_id}',
  about: 'Move a contact to the trash, or erase it permanently on a data request (admins)',
  on: { contact: contact.own.anywhere },
  input: { erase: z.boolean().default(false).describe('permanently, everywhere it is stored, even from the trash; administrators only') },
  dryRun: true,
  unrecorded: 'Erasing is permanent and cannot be undone.',
  output: DeletedContact,
  async handle({ contact: named, erase }, ctx) {
    const row = await meant(ctx, named)
    if (erase) return erased(ctx, row)
    if (row.deleted_at !== null) throw notFound('contact', 'contact_id')
    await ctx.trash('contacts', row)
    return deletedRef(ctx, contact.ref(row, ctx.baseUrl))
  },
})

/** A former id means the contact that it leads to. */
async function meant(ctx: WriteContext, row: Row<'contacts'>): Promise<Row<'contacts'>> {
  const kept = row.deleted_at === null ? undefined : await keptFor(ctx, row)
  return kept === undefined ? row : contact.demand(ctx, kept, 'own', 'contact_id')
}

async function erased(ctx: WriteContext, row: Row<'contacts'>): Promise<z.infer<typeof DeletedContact>> {
  if (!isAdmin(ctx.actor)) throw denied('Only administrators may erase contacts permanently.', 'Without erase it goes to the trash, where it vanishes in time.')
  if (await isImporting(ctx)) throw new Refusal('conflict', 'Contacts are being imported at this moment, and this one may be among them.', { hint: 'Erase it when the import is over.', retry_after_seconds: 60 })
  const counts = await eraseContact(ctx, row)
  const job = ctx.dryRun ? undefined : await ctx.job(forgetWordsJob, { call_id: ctx.callId, contact_id: row.id })
  const { restorable_until: _, undo_call_id: __, ...gone } = await deletedRef(ctx, { type: 'contact', id: row.id, title: 'Erased contact', url: contact.url(row, ctx.baseUrl) })
  return { ...gone, erased: counts, remains, ...(job === undefined ? {} : { job_id: job }) }
}

const forgetWordsJob = 'forget_contact'

export const forgetContact = jobKind({
  name: forgetWordsJob,
  about: 'Takes the words of a contact that was erased out of the search index for good',
  args: z.strictObject({ call_id: z.string(), contact_id: z.string() }),
  concurrency: 1,
  async run({ call_id, contact_id }, job) {
    let pieces = 1
    for (let more = await job.write(system => forgetRest(system, call_id, contact_id, true)); more && !job.signal.aborted; pieces++) more = await job.write(system => forgetRest(system, call_id, contact_id, false))
    job.signal.throwIfAborted()
    return { pieces }
  },
})
