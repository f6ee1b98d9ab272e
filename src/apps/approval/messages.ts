// Preview of a waiting call's outgoing content, in the fields of a message.

import { Addresses } from '../shared/addresses.ts'
import { readableName, type AnswerFields, objectsIn, textField, textsIn } from '../shared/fields.ts'
import type { ToolResult } from '../shared/host.ts'

/** Preview of a message or of anything else a call sends. */
export interface OutgoingPreview {
  /** Names with values, in order: From, To, Subject. */
  lines: [name: string, value: string][]
  body: string
  /** Text of other people's messages that is sent below it. */
  quoted: string
  warnings: string[]
}

/** Tools that return a preview when called with `dry_run`. */
export const mailTools: ReadonlySet<string> = new Set([
  'send_email',
  'reply_to_email',
  'forward_email',
  'send_email_draft',
])

/** Preview of a mail, from the answer of its dry run or of the call itself. `args`: arguments of the call. */
export function mailPreview(
  mail: AnswerFields,
  args: AnswerFields,
  result: ToolResult,
): OutgoingPreview {
  const addresses = new Addresses()
  const listOf = (value: unknown) => addresses.describe(value).join(', ')
  const lines: [string, string][] = [
    ['From', listOf([mail.from])],
    ['To', listOf(mail.to)],
    ['Cc', listOf(mail.cc)],
    ['Bcc', listOf(mail.bcc)],
    ['Subject', textField(mail.subject) ?? ''],
    ['Attachments', objectsIn(mail.attachments).map(describeFile).join(', ')],
  ]
  const text = textField((mail.outgoing as AnswerFields | undefined)?.text) ?? contentIn(mail)
  const { ownText, quoted } = splitQuoted(text, textField(args.body_markdown ?? args.note_markdown))
  const isCut = result._meta?.['workspace/cut'] !== undefined
  const cut = isCut ? ['It is too long to be shown in full here: read it in Workspace.'] : []
  return {
    lines: lines.filter(([, value]) => value !== ''),
    body: ownText,
    quoted,
    warnings: [...textsIn(mail.warnings), ...cut],
  }
}

/** Preview of any other call: its arguments as given. `titles`: titles of the items it names. */
export function callPreview(
  args: AnswerFields,
  titles: ReadonlyMap<string, string>,
): OutgoingPreview {
  const describe = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(describe).join(', ')
    if (typeof value === 'string') return titles.get(value) ?? value
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return JSON.stringify(value)
  }
  const lines = Object.entries(args).map(([name, value]): [string, string] => [
    readableName(name.replace(/_ids?$/, '')),
    describe(value),
  ])
  return { lines, body: '', quoted: '', warnings: [] }
}

/** Preview of an invitation: recipients, event and time. The call itself names only the event. */
export function invitationPreview(event: AnswerFields, args: AnswerFields): OutgoingPreview {
  const invited = new Addresses().describe(objectsIn(event.attendees).map(({ address }) => address))
  const to = Array.isArray(args.to) ? textsIn(args.to) : invited
  const when = [textField(event.starts_local), textField(event.ends_local)]
    .map((time) => time?.slice(0, 16).replace('T', ' '))
    .join(' to ')
  const lines: [string, string][] = [
    ['To', to.join(', ')],
    ['Event', textField(event.title) ?? ''],
    ['When', when],
    ['Where', textField(event.location) ?? ''],
  ]
  return {
    lines: lines.filter(([, value]) => value !== ''),
    body: textField(args.message) ?? '',
    quoted: '',
    warnings: [],
  }
}

/** Ids of items in the arguments of a call, at the top level and in lists. */
export function itemIdsIn(args: AnswerFields): string[] {
  const ids = Object.values(args)
    .flat()
    .filter((value) => typeof value === 'string' && /^[a-z]{3}_[0-9a-z]{20,}$/.test(value))
  return [...new Set(ids as string[])]
}

/** Splits a text into the part the call supplied and the part below it: signature and quoted text. */
function splitQuoted(
  text: string,
  ownText: string | undefined,
): { ownText: string; quoted: string } {
  const start = ownText?.trim() ?? ''
  const rest = text.startsWith(start) ? text.slice(start.length) : ''
  const isQuoted = /^(>|-{5,} )/m.test(rest)
  return isQuoted ? { ownText: start, quoted: rest.trim() } : { ownText: text.trim(), quoted: '' }
}

function contentIn({ content, snippet }: AnswerFields): string {
  return textField((content as AnswerFields | undefined)?.text) ?? textField(snippet) ?? ''
}

function describeFile({ name, size_bytes }: AnswerFields): string {
  const size = typeof size_bytes === 'number' ? ` (${Math.ceil(size_bytes / 1000)} kB)` : ''
  return `${textField(name) ?? 'a file'}${size}`
}
