import type { OpenLook, OpenPerson } from '../../../operations/public-pages.ts'
import { notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { formNow } from './access.ts'
import { responseOfTicket, responseValues } from '../responses/access.ts'
import { ticketHash, type Ticket } from './tickets.ts'
import { storeFile, type SentFile } from '../responses/files.ts'
import { keepResponse } from '../responses/submissions.ts'

type Form = Row<'forms'>

const isFiles = (value: unknown): value is SentFile[] =>
  Array.isArray(value) && typeof value[0] === 'object'

/**
 * Stores a public response in the name of the form's creator; repeated submissions are stored once.
 * @returns whether it is stored; false if a different response was sent from the same page before
 * @throws Refusal conflict if the form accepts no more responses
 */
export function keepPublic(
  look: OpenLook,
  form: Form,
  ticket: Ticket,
  values: Record<string, unknown>,
): Promise<boolean> {
  const hash = ticketHash(ticket)
  return look.write('submit_public_form', async (system) => {
    const now = await formNow(system, form)
    if (!now) throw notFound('form')
    return system.as(now.created_by, async (ctx) => {
      const before = await responseOfTicket(ctx, now.id, hash)
      if (before) return isSameAnswer(responseValues(before), values)
      const storedValues = { ...values }
      const ownFiles = new Set<string>()
      for (const [id, value] of Object.entries(values)) {
        if (!isFiles(value)) continue
        const stored = []
        for (const sentFile of value) stored.push(await storeFile(ctx, sentFile))
        for (const fileAnswer of stored) ownFiles.add(fileAnswer.file_id)
        storedValues[id] = stored
      }
      await keepResponse(ctx, now, {
        values: storedValues,
        ownFiles,
        trust: 'external',
        seconds: Math.round((look.now - ticket.at) / 1000),
        ticket: hash,
      })
      return true
    })
  })
}

/** Files are not compared: a browser that resends a page sends the same ones. */
function isSameAnswer(stored: Record<string, unknown>, sent: Record<string, unknown>): boolean {
  const plain = (values: Record<string, unknown>) =>
    JSON.stringify(
      Object.entries(values).map(([id, value]) => [
        id,
        Array.isArray(value) && typeof value[0] === 'object' ? 'files' : value,
      ]),
    )
  return plain(stored) === plain(sent)
}

/** The same for a person of the organization: their own call, like one with a key. @throws Refusal */
export async function sendAs(
  person: OpenPerson,
  form: Form,
  ticket: Ticket,
  values: Record<string, unknown>,
): Promise<boolean> {
  const answers = Object.fromEntries(
    Object.entries(values).map(([id, value]) => [
      id,
      isFiles(value)
        ? value.map(({ name, bytes }) => ({ name, content_base64: bytes.toString('base64') }))
        : value,
    ]),
  )
  try {
    await person.call(
      'submit_form_response',
      { form_id: form.id, answers },
      `form page ${ticketHash(ticket)}`,
    )
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'idempotency_conflict') return false
    throw error
  }
}
