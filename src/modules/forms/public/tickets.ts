import { omitNullish } from '../../../kernel/present.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { OpenLook } from '../../../operations/public-pages.ts'
import { readLink, signLink } from '../../../files/signed-links.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'

/** Signed state of a form page: only a form that was displayed can be submitted, and each page only once. */
export interface Ticket {
  form: string
  /** When the page was opened, in milliseconds. */
  at: number
  nonce: string
  /** Fields that were asked; absent on pages older than this property. */
  fields?: string | undefined
  /** Whether the visitor already submitted a step. */
  started: boolean
  /** Network it was shown to; only if the form is guarded against programs. */
  network?: string | undefined
  /** Signed-in person; only for forms of the organization. */
  person?: string | undefined
}

const pageTool = 'form_page'
const receiptTool = 'form_receipt'
const receiptLifetimeMs = 3600_000

export function newTicket(
  look: OpenLook,
  form: Pick<Row<'forms'>, 'id' | 'captcha' | 'fields_json'>,
  person: string | undefined,
): Ticket {
  return omitNullish({
    form: form.id,
    at: look.now,
    nonce: randomBytes(16).toString('base64url'),
    fields: hashOf(form.fields_json),
    started: false,
    network: form.captcha === 1 ? look.network : undefined,
    person,
  })
}

export function signTicket({ settings }: OpenLook, ticket: Ticket): string {
  return signLink(settings.data, {
    person: '',
    key: null,
    tool: pageTool,
    args: { ...ticket },
    until: ticket.at + dayLength,
  })
}

/** The ticket of a page of this form; undefined if not signed by this instance, or older than a day. */
export function readTicket(
  { settings, now }: OpenLook,
  token: string | undefined,
  formId: string,
): Ticket | undefined {
  const link =
    token === undefined || token.length > 2000 ? undefined : readSafely(settings.data, token, now)
  const ticket = link?.tool === pageTool ? (link.args as unknown as Ticket) : undefined
  return ticket?.form === formId ? ticket : undefined
}

/** Identifies the response to a ticket. */
export function ticketHash({ nonce }: Ticket): string {
  return hashOf(nonce)
}

/** Whether a page's questions are those of the current form. */
export const hasCurrentFields = ({ fields }: Ticket, form: Pick<Row<'forms'>, 'fields_json'>) =>
  fields === undefined || fields === hashOf(form.fields_json)

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Creates a signed receipt of the response. */
export function signReceipt({ settings, now }: OpenLook, formId: string): string {
  return signLink(settings.data, {
    person: '',
    key: null,
    tool: receiptTool,
    args: { form: formId },
    until: now + receiptLifetimeMs,
  })
}

export function isReceipt({ settings, now }: OpenLook, token: string, formId: string): boolean {
  const link = token.length > 2000 ? undefined : readSafely(settings.data, token, now)
  return link?.tool === receiptTool && link.args.form === formId
}

/** Reads a signed link, and returns undefined if the token is malformed. */
function readSafely(dataDir: string, token: string, now: number) {
  try {
    return readLink(dataDir, token, now)
  } catch {
    return undefined
  }
}
