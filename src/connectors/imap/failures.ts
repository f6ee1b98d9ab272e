/**
 * Kind of mail server failure, by the remedy.
 * - login: the password is wrong: no other try will help, a person has to act
 * - token: the access token expired or was revoked: a fresh one may help, once
 * - gone: no answer, or the connection ended: try later
 * - unreadable: an answer that is too large or broken: request less of it
 * - refused: the server rejected this one command
 */
export type MailTrouble = 'login' | 'token' | 'gone' | 'unreadable' | 'refused'

export class MailFailure extends Error {
  readonly trouble: MailTrouble

  constructor(trouble: MailTrouble, message: string, cause?: unknown) {
    super(message.slice(0, 500), { cause })
    this.trouble = trouble
  }
}

interface ImapError {
  message?: string
  code?: string
  authenticationFailed?: boolean
  serverResponseCode?: string
  responseText?: string
  responseStatus?: string
  oauthError?: unknown
}

const unreadableCodes = new Set([
  'LineTooLarge',
  'LiteralTooLarge',
  'ResponseTooLarge',
  'TooManyTokens',
  'ParserError',
])

export function failureOf(error: unknown, usesToken: boolean): MailFailure {
  if (error instanceof MailFailure) return error
  const {
    message = String(error),
    code,
    authenticationFailed,
    serverResponseCode,
    responseText,
    responseStatus,
  } = error as ImapError
  const serverText = responseText ?? message
  if (authenticationFailed)
    return isPermanent(serverResponseCode)
      ? new MailFailure(usesToken ? 'token' : 'login', serverText, error)
      : new MailFailure('gone', serverText, error)
  if (code !== undefined && (unreadableCodes.has(code) || /^Parser/.test(code)))
    return new MailFailure('unreadable', message, error)
  if (responseStatus === 'NO' || responseStatus === 'BAD')
    return new MailFailure('refused', serverText, error)
  return new MailFailure('gone', serverText, error)
}

/** Servers also refuse valid logins: too many connections, or their database is down. */
function isPermanent(serverResponseCode: string | undefined): boolean {
  return !['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG', 'CONTACTADMIN'].includes(
    serverResponseCode ?? '',
  )
}
