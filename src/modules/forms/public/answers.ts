import type { OpenLook, OpenPerson } from '../../../operations/public-pages.ts'
import { notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { readCurrentForm } from './access.ts'
import { responseOfTicket, responseValues } from '../responses/access.ts'
import { ticketHash, type Ticket } from './tickets.ts'
import { storeFile, type SentFile } from '../responses/files.ts'
import { storeResponse } from '../responses/submissions.ts'

type Form = Row<'forms'>

const isFiles = (value: unknown): value is SentFile[] =>
  Array.isArray(value) && typeof value[0] === 'object'

/**
 * Stores a public response in the name of the form's creator; repeated submissions are stored once.
 * @returns whether it is stored; false if a different response was sent from the same page before
 * @throws Refusal conflict if the form accepts no more responses
 */
export function storePublicResponse(
  look: OpenLook,
  form: Form,
  ticket: Ticket,
  values: Record<string, unknown>,
): Promise<boolean> {
  const hash = ticketHash(ticket)
  return look.write('submit_public_form', async (system) => {
    const currentForm = await readCurrentForm(system, form)
    if (!currentForm) throw notFound('form')
    return system.as(currentForm.created_by, async (ctx) => {
      const earlier = await responseOfTicket(ctx, currentForm.id, hash)
      if (earlier) return isSameAnswer(responseValues(earlier), values)
      const storedValues = { ...values }
      const ownFiles = new Set<string>()
      for (const [id, value] of Object.entries(values)) {
        if (!isFiles(value)) continue
        const stored = []
        for (const sentFile of value) stored.push(await storeFile(ctx, sentFile))
        for (const fileAnswer of stored) ownFiles.add(fileAnswer.file_id)
        storedValues[id] = stored
      }
      await storeResponse(ctx, currentForm, {
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
  const comparable = (values: Record<string, unknown>) =>
    JSON.stringify(
      Object.entries(values).map(([id, value]) => [
        id,
        Array.isArray(value) && typeof value[0] === 'object' ? 'files' : value,
      ]),
    )
  return comparable(stored) === comparable(sent)
}

/** The same for a person of the organization: their own call, like one with a key. @throws Refusal */
export async function submitAs(
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
