// Pages of forms at /f/{slug}: for the public, or for signed-in people of the organization. They work without scripts.

import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type {
  OpenLook,
  OpenPage,
  OpenPerson,
  OpenPlace,
  OpenSent,
} from '../../../operations/public-pages.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { htmlOf } from '../../pages/shapes.ts'
import { formBySlug } from './access.ts'
import { countVisit, zoneOfOrganization } from '../responses/access.ts'
import { checkAnswers } from '../responses/answers.ts'
import { formDocument, notice, paragraphs, styles, honeypotName, documentOf } from './documents.ts'
import type { FormField } from '../forms/fields.ts'
import { storePublicResponse, submitAs } from './answers.ts'
import { visibleFieldsOn, nextStep, pagesOf } from './steps.ts'
import {
  hasCurrentFields,
  isReceipt,
  newTicket,
  readTicket,
  signReceipt,
  signTicket,
  type Ticket,
} from './tickets.ts'
import { fileProblem, totalProblem, type SentFile } from '../responses/files.ts'
import { readSentForm, type SentForm } from './sent-forms.ts'
import { stateAt } from '../forms/states.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

type Form = Row<'forms'>

/** Rate limits per IP address: page views, and ten stored responses in ten minutes. */
const pageRateLimit = { perMinute: 12, burst: 60 }
const submissionRateLimit = { perMinute: 1, burst: 10 }
/** Minimum milliseconds to fill in a page of a form that is guarded against bots. */
const minFillMs = 3_000

const slugPattern = /^[A-Za-z0-9_-]{22}$/

export const formPages: readonly OpenPlace[] = [
  {
    path: '/f/:slug',
    read: (look) => readFormPage(look),
    post: (sent) => receiveFormResponse(sent),
  },
  { path: '/f/:slug/:receipt', read: (look) => thankYouPage(look) },
]

/** A form that the visitor may fill in. */
interface OpenForm {
  form: Form
  fields: FormField[]
  pages: FormField[][]
  person: OpenPerson | undefined
}

async function openFormAt(look: OpenLook): Promise<OpenForm | OpenPage | undefined> {
  const { slug = '' } = look.params
  const form = slugPattern.test(slug) ? await formBySlug(look.all, slug) : undefined
  if (!form) return undefined
  const person = form.audience === 'organization' ? await look.signedIn() : undefined
  if (form.audience === 'organization' && person?.actor.org_id !== form.org_id) return signInPage
  const state = stateAt(form, look.now)
  if (state !== 'open') return closedPage(form, state)
  const fields = JSON.parse(form.fields_json) as FormField[]
  return { form, fields, pages: pagesOf(fields), person }
}

const isPage = (openForm: OpenForm | OpenPage): openForm is OpenPage => 'html' in openForm
const openFormPage = (html: string, more: Partial<OpenPage> = {}): OpenPage => ({
  html,
  styles,
  isListed: false,
  takesForms: true,
  cache: 'no-store',
  ...more,
})

const signInPage = openFormPage(
  notice(
    'Sign in first',
    'Sign in first',
    'Only members of the organization can use this form. Sign in to the workspace in this browser, then open the address again.',
  ),
  { status: 403 },
)

function closedPage(form: Form, state: string): OpenPage {
  const defaultMessage =
    state === 'limit'
      ? 'This form has reached its response limit.'
      : 'This form no longer accepts responses.'
  return openFormPage(
    notice(
      `Closed: ${form.title}`,
      `${form.title} is closed`,
      form.closed_message ?? defaultMessage,
    ),
  )
}

async function readFormPage(look: OpenLook): Promise<OpenPage | undefined> {
  const openForm = await openFormAt(look)
  if (!openForm || isPage(openForm)) return openForm
  if (look.method === 'GET') await recordVisit(look, openForm.form, 'views')
  return render(look, openForm, {
    step: 0,
    values: {},
    ticket: newTicket(look, openForm.form, openForm.person?.actor.id),
  })
}

function recordVisit(look: OpenLook, form: Form, counter: 'views' | 'started'): Promise<void> {
  return look.write('show_form', async (system) =>
    countVisit(
      system,
      form,
      dayAt(look.now, await zoneOfOrganization(system.all, form.org_id)),
      counter,
    ),
  )
}

interface PageState {
  step: number
  values: Record<string, unknown>
  ticket: Ticket
  problems?: ReadonlyMap<string, string>
  message?: string
  status?: number
  retryAfter?: number
}

async function render(
  look: OpenLook,
  { form, pages }: OpenForm,
  { step, values, ticket, problems = new Map(), message, status, retryAfter }: PageState,
): Promise<OpenPage> {
  const fields = visibleFieldsOn(pages, step, values)
  const hasErrors = problems.size > 0 || message !== undefined
  const html = formDocument({
    title: form.title,
    description: step === 0 ? await descriptionOf(form) : '',
    slug: form.slug!,
    token: signTicket(look, ticket),
    step,
    steps: pages.length,
    fields,
    others: pages.flat().filter((field) => field.type !== 'file' && !fields.includes(field)),
    values,
    problems,
    message,
    isLast: step >= pages.length - 1,
    hasFiles: fields.some((field) => field.type === 'file'),
  })
  return openFormPage(
    html,
    omitNullish({
      status: status ?? (hasErrors ? 422 : 200),
      retryAfter,
    }),
  )
}

/** Recently shown descriptions, as HTML. */
const descriptions = new BoundedMap<string, string>(200)

async function descriptionOf({
  id,
  revision,
  description_markdown,
  created_by,
}: Form): Promise<string> {
  if (description_markdown === null) return ''
  const key = `${id} ${revision}`
  const html =
    descriptions.get(key) ??
    `<div class="about">${await htmlOf(description_markdown, 'about-', 1, { owner: created_by })}</div>`
  descriptions.set(key, html)
  return html
}

async function receiveFormResponse(sent: OpenSent): Promise<OpenPage | undefined> {
  const openForm = await openFormAt(sent)
  if (!openForm || isPage(openForm)) return openForm
  const wait = sent.spend('form page', pageRateLimit)
  if (wait > 0)
    return openFormPage(
      notice(
        'Too many requests',
        'Too many requests',
        `Too many requests came from your address. Try again in ${quantity(wait, 'second')}.`,
      ),
      { status: 429, retryAfter: wait },
    )
  try {
    return await respondTo(
      sent,
      openForm,
      await readSentForm(
        sent,
        openForm.fields.some((field) => field.type === 'file'),
      ),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const current = error.code === 'conflict' ? await openFormAt(sent) : undefined // it closed meanwhile
    if (current && isPage(current)) return current
    return openFormPage(
      notice(
        'Not accepted',
        'Your answers could not be accepted',
        `${error.message}\n\nGo back in your browser and try again.`,
      ),
      { status: error.status },
    )
  }
}

/** Submitted values of the fields that the form has. */
function valuesIn({ fields }: OpenForm, { texts, files }: SentForm): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      if (field.type === 'file') return files.has(field.id) ? [[field.id, files.get(field.id)]] : []
      const entries = texts.get(field.id)
      if (!entries) return []
      return [
        [
          field.id,
          field.type === 'multi_select' ? entries.filter((name) => name !== '') : entries.at(-1),
        ],
      ]
    }),
  )
}

const filledHoneypotMessage =
  'A hidden field was filled in, perhaps by your browser. It has been cleared; send the form again.'

async function respondTo(sent: OpenSent, openForm: OpenForm, form: SentForm): Promise<OpenPage> {
  const { pages, person } = openForm
  const values = valuesIn(openForm, form)
  const text = (name: string) => form.texts.get(name)?.at(-1)
  const step = stepIn(text('_step'), pages.length)
  const sentTicket = readTicket(sent, text('_token'), openForm.form.id)
  const problem = ticketProblem(sent, openForm, sentTicket, text('_do') === 'send')
  const ticket = {
    ...(sentTicket && sentTicket.person === person?.actor.id && problem?.isStale !== true
      ? sentTicket
      : newTicket(sent, openForm.form, person?.actor.id)),
    started: true,
  }
  if (!sentTicket?.started && !person) await recordVisit(sent, openForm.form, 'started')
  if (text('_do') === 'back')
    return render(sent, openForm, {
      step: nextStep(pages, step, -1, readableAnswers(openForm, values)),
      values,
      ticket,
    })
  const { values: checkedValues, problems } = checkFormAnswers(openForm, values)
  const invalidStep = firstInvalidPage(pages, step, problems)
  if (invalidStep !== undefined)
    return render(sent, openForm, { step: invalidStep, values, ticket, problems })
  if (problem || (text(honeypotName) ?? '') !== '')
    return render(sent, openForm, {
      step,
      values,
      ticket,
      message: problem?.message ?? filledHoneypotMessage,
    })
  if (text('_do') !== 'send')
    return render(sent, openForm, { step: nextStep(pages, step, 1, checkedValues), values, ticket })
  const wait = sent.spend('form answer', submissionRateLimit)
  if (wait > 0)
    return render(sent, openForm, {
      step,
      values,
      ticket,
      status: 429,
      retryAfter: wait,
      message: `too many answers came from your address; try again in ${wait > 90 ? `${Math.ceil(wait / 60)} minutes` : quantity(wait, 'second')}`,
    })
  const isStored = person
    ? await submitAs(person, openForm.form, ticket, checkedValues)
    : await storePublicResponse(sent, openForm.form, ticket, checkedValues)
  if (!isStored)
    return render(sent, openForm, {
      step,
      values,
      ticket: { ...newTicket(sent, openForm.form, person?.actor.id), started: true },
      message:
        'other answers were already sent from this page; send the form again to submit these as well',
    })
  return openFormPage('', {
    location: `/f/${openForm.form.slug!}/${signReceipt(sent, openForm.form.id)}`,
  })
}

function stepIn(text: string | undefined, count: number): number {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Math.min(Number(text), count) : 0
}

interface TicketProblem {
  message: string
  /** The page gets a new ticket. */
  isStale: boolean
}

function ticketProblem(
  sent: OpenSent,
  { form, person }: OpenForm,
  ticket: Ticket | undefined,
  isSending: boolean,
): TicketProblem | undefined {
  if (!ticket || ticket.person !== person?.actor.id)
    return {
      message:
        'this page has expired or was opened elsewhere; check your answers and send them again',
      isStale: true,
    }
  if (!hasCurrentFields(ticket, form))
    return {
      message:
        'the questions were changed after you opened the page; check your answers and send them again',
      isStale: true,
    }
  if (form.captcha !== 1 || !isSending) return undefined
  if (ticket.network !== sent.network)
    return {
      message:
        'your network address has changed since you opened the page; send your answers again in a few seconds',
      isStale: true,
    }
  return sent.now - ticket.at < minFillMs
    ? {
        message: 'the form was sent too quickly; wait a few seconds and send your answers again',
        isStale: false,
      }
    : undefined
}

/** Answers for conditions; invalid ones count as missing. */
function readableAnswers(
  { fields }: OpenForm,
  values: Record<string, unknown>,
): Record<string, unknown> {
  return checkAnswers(fields, values).values
}

function checkFormAnswers(
  { fields }: OpenForm,
  values: Record<string, unknown>,
): { values: Record<string, unknown>; problems: Map<string, string> } {
  const { values: checkedValues, problems } = checkAnswers(fields, values)
  const messages = new Map(problems.map((problem) => [problem.field_id, problem.message]))
  const files = fields.filter((field) => field.type === 'file' && field.id in checkedValues)
  const all = files.flatMap((field) => checkedValues[field.id] as SentFile[])
  const sizeProblem = totalProblem(all)
  for (const field of files) {
    const message =
      sizeProblem ??
      (checkedValues[field.id] as SentFile[]).map(fileProblem).find((item) => item !== undefined)
    if (message !== undefined) messages.set(field.id, message)
  }
  return { values: checkedValues, problems: messages }
}

/** The first invalid page up to this one; later ones have not been asked yet. */
function firstInvalidPage(
  pages: readonly (readonly FormField[])[],
  step: number,
  problems: ReadonlyMap<string, string>,
): number | undefined {
  const pageIndex = pages.findIndex(
    (fields, i) => i <= step && fields.some((field) => problems.has(field.id)),
  )
  return pageIndex < 0 ? undefined : pageIndex
}

async function thankYouPage(look: OpenLook): Promise<OpenPage | undefined> {
  const { slug = '', receipt = '' } = look.params
  const form = slugPattern.test(slug) ? await formBySlug(look.all, slug) : undefined
  if (!form || !isReceipt(look, receipt, form.id)) return undefined
  return openFormPage(
    documentOf(`Sent: ${form.title}`, [
      '<h1>Thank you</h1>',
      '<p>Your answers were received.</p>',
      ...paragraphs(form.thank_you ?? ''),
    ]),
  )
}
