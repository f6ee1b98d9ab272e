import { activityTexts as t } from '../texts.ts'
import type { GetOutput } from '../../../api/client.ts'
import type { LoggedCall, LoggedCallDetails } from '../../../api/operations.ts'

/** An entry of the call log. Entries of others have fewer fields. */
export type ApiCall = LoggedCall

/** A call with all its details. */
export type FullCall = LoggedCallDetails

export type LogPage = GetOutput<'/web/activity'>

const irregularPastTenses: Readonly<Record<string, string>> = {
  get: 'Read',
  send: 'Sent',
  find: 'Found',
  set: 'Set',
  run: 'Ran',
  undo: 'Undid',
  submit: 'Submitted',
  begin: 'Began',
  make: 'Made',
  log: 'Logged',
  pin: 'Pinned',
  edit: 'Edited',
  reset: 'Reset',
  stop: 'Stopped',
  leave: 'Left',
  bulk: 'Did in bulk:',
  search: 'Searched',
  publish: 'Published',
  finish: 'Finished',
  cancel: 'Cancelled',
  label: 'Labelled',
  follow: 'Followed',
  look: 'Looked',
  unsubscribe: 'Unsubscribed',
  reply: 'Replied',
  sign: 'Signed',
  deny: 'Denied',
  verify: 'Verified',
}
const regularVerbs = new Set(
  'list create update delete add remove move start restore mark import archive trash share resolve reopen record merge export complete assign upload unshare unpublish unlink test snooze schedule save revoke respond preview post link join invalidate forward explain escalate enable disable count copy close append acknowledge release'.split(
    ' ',
  ),
)

/** Describes an operation in words: `create_task` is “Create task”. */
export function describeTool(tool: string): string {
  if (tool.startsWith('abuse.'))
    return t.activity.rule(tool.slice('abuse.'.length).replaceAll('-', ' '))
  const words = tool.replaceAll('_', ' ').replace(/\bapi\b/g, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Describes a call: “Created task”; if it failed: “Create task”. */
export function describeCall({ tool, status }: Pick<ApiCall, 'tool' | 'status'>): string {
  const [verb = '', ...rest] = tool.split('_')
  if (status !== 'ok') return describeTool(tool)
  const pastTense =
    irregularPastTenses[verb] ??
    (regularVerbs.has(verb) ? describeTool(verb) + (verb.endsWith('e') ? 'd' : 'ed') : undefined)
  return pastTense === undefined
    ? describeTool(tool)
    : [pastTense, ...rest].join(' ').replace(/\bapi\b/g, 'API')
}

/** The reason for a failure, in words. */
export function describeFailure({
  status,
  error_code,
}: Pick<ApiCall, 'status' | 'error_code'>): string | undefined {
  if (status === 'ok') return undefined
  return t.activity.errors[error_code ?? ''] ?? t.activity.failed(error_code)
}

/** The key of a call, and the program that used it. */
export function callerNames({ key, transport, client }: ApiCall): string[] {
  if (key.id === '') return [t.activity.noKey[transport]]
  const program = client && [client.name, client.version].filter(Boolean).join(' ')
  return [key.title, program].filter((item): item is string => item !== undefined && item !== '')
}
