// Parses message headers beyond the results of the MIME parser.

import type { Authentication, DeliveryReport } from './shapes.ts'

const maxIds = 200

const weakCharset =
  /^(?:|us-?ascii|ascii|ansi_x3\.4-19\d\d|iso646-us|646|x?-?unknown(?:-8bit)?|8bit|binary|default|none)$/i

/** Whether a charset leaves bytes above 127 undefined. */
export function isWeakCharset(charset: string | undefined): boolean {
  return weakCharset.test((charset ?? '').trim())
}

/** Whether a header has encoded words (RFC 2047) of such a charset. */
export function hasWeakWords(value: string): boolean {
  return value
    .matchAll(/=\?([^?\s*]{0,40})(?:\*[^?\s]{0,40})?\?[qb]\?/gi)
    .some(([, charset]) => isWeakCharset(charset))
}

/** Message ids in a header with angle brackets, deduplicated and in order; of very many, only the first and last. */
export function messageIds(value: string | undefined): string[] {
  if (!value) return []
  const bracketed = [...value.matchAll(/<([^<>\s]{1,998})>/g)].map(([, id]) => id!)
  const idTexts =
    bracketed.length > 0
      ? bracketed
      : value.split(/[\s,]+/).filter((word) => /^[^\s@<>]+@[^\s@<>]+$/.test(word))
  const ids = [...new Set(idTexts)].map((id) => `<${id}>`)
  return ids.length > maxIds ? [ids[0]!, ...ids.slice(1 - maxIds)] : ids
}

/** Usable addresses of a List-Unsubscribe header. */
export function unsubscribeAddresses(value: string | undefined): string[] {
  return [...(value ?? '').matchAll(/<\s*((?:https?:\/\/|mailto:)[^<>\s]{1,2000})\s*>/gi)]
    .map(([, address]) => address!)
    .slice(0, 10)
}

/**
 * The findings of the receiving server: the topmost Authentication-Results header, which only it can have added, and
 * those below it with the same server name, because some servers write one header per method. Headers further down
 * may come from the sender. If there is none, Received-SPF above the first of them is used.
 */
export function authenticationOf(
  headers: readonly { name: string; value: string }[],
): Authentication {
  const results = headers
    .filter((header) => header.name.toLowerCase() === 'authentication-results')
    .map((header) => withoutComments(header.value))
  const server = serverOf(results[0])
  const verdicts: { [method in keyof Authentication]: string | undefined } = {}
  // Results of the same server are adjacent; those after another server's may be forgeries under its name.
  const end = results.findIndex((result) => serverOf(result) !== server)
  for (const result of end < 0 ? results : results.slice(0, end))
    for (const method of ['spf', 'dkim', 'dmarc'] as const)
      verdicts[method] = betterVerdict(verdicts[method], verdictOf(result, method))
  if (results.length === 0)
    verdicts.spf = /^\s*([a-z]+)/i
      .exec(
        headers.find((header) => header.name.toLowerCase() === 'received-spf')?.value ?? '',
      )?.[1]
      ?.toLowerCase()
  return Object.fromEntries(
    Object.entries(verdicts).filter(([, verdict]) => verdict !== undefined),
  ) as Authentication
}

function serverOf(result: string | undefined): string {
  return /^\s*([^\s;]+)/.exec(result ?? '')?.[1]?.toLowerCase() ?? ''
}

/** Comments may contain any text; they are not findings. */
function withoutComments(value: string): string {
  let depth = 0
  let text = ''
  for (const character of value.slice(0, 20_000)) {
    if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth === 0) text += character
  }
  return text
}

const knownVerdict = /^(pass|fail|softfail|neutral|none|temperror|permerror|policy|bestguesspass)$/

function verdictOf(result: string, method: string): string | undefined {
  const all = [...result.matchAll(new RegExp(`;\\s*${method}\\s*=\\s*"?([a-z]+)`, 'gi'))]
    .map(([, verdict]) => verdict!.toLowerCase())
    .filter((verdict) => knownVerdict.test(verdict))
  return all.reduce<string | undefined>(betterVerdict, undefined)
}

/** One valid signature of several is enough. */
function betterVerdict(item: string | undefined, other: string | undefined): string | undefined {
  if (item === 'pass' || other === undefined) return item
  return other === 'pass' || item === undefined ? other : item
}

/** A header on one line: runs of control characters and white space become single spaces. */
export function headerText(text: string, maxLength = 2_000): string {
  return text
    .slice(0, 4 * maxLength)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
}

/** Whether a program sent it: such messages expect no reply. */
export function isAutomatic(value: (name: string) => string | undefined): boolean {
  const submitted = value('auto-submitted')?.trim().toLowerCase()
  return (
    (submitted !== undefined && submitted !== '' && !submitted.startsWith('no')) ||
    /^\s*(bulk|list|junk|auto_reply)\b/i.test(value('precedence') ?? '') ||
    value('list-id') !== undefined ||
    value('list-unsubscribe') !== undefined ||
    value('feedback-id') !== undefined ||
    value('x-autoreply') !== undefined ||
    /^\s*<>\s*$/.test(value('return-path') ?? '')
  )
}

/** The moment of a Date header, in milliseconds. */
export interface HeaderDate {
  at: number
  /** The time zone is missing or unreadable, so day and time were read as UTC. */
  isUtcAssumed: boolean
}

const dateThenTime =
  /\b(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ -](\d{4}|\d{2}),? (\d{1,2}:\d{2}(?::\d{2})?)(?: ?([+-]\d{2}:?\d{2})(?!\d))?/i
const timeThenYear =
  /\b([a-z]{3})[a-z]* (\d{1,2}),? (\d{1,2}:\d{2}(?::\d{2})?) (?:\S{1,40} )?(\d{4})\b/i
const isoDate = /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)/
const knownZone = /(?:[+-](?:0\d|1[0-4]):?[0-5]\d|(?<![a-z])(?:GMT|UTC?|Z|[ECMP][SD]T))$/i

/** Parses a Date header. Undefined without day and time, or with an impossible year. */
export function dateOf(value: string | undefined): HeaderDate | undefined {
  if (!value) return undefined
  const plain = withoutComments(value).replaceAll(/\s+/g, ' ').trim()
  if (knownZone.test(plain)) {
    for (const text of [plain, plain.replace(/^[^\d]*?,\s*/, '')]) {
      const at = plausibleTime(Date.parse(text))
      if (at !== undefined) return { at, isUtcAssumed: false }
    }
  }
  const { local, zone } = timeAndZoneOf(plain)
  if (local === undefined) return undefined
  const isKnown = zone !== undefined && knownZone.test(zone)
  const at = plausibleTime(Date.parse(`${local} ${isKnown ? zone : 'GMT'}`))
  return at === undefined ? undefined : { at, isUtcAssumed: !isKnown }
}

/** Day and time of a date with an unreadable zone. */
function timeAndZoneOf(plain: string): { local?: string; zone?: string | undefined } {
  const dateMatch = dateThenTime.exec(plain)
  if (dateMatch) {
    const [, day, month, year, time, zone] = dateMatch
    return { local: `${day} ${month} ${year} ${time}`, zone }
  }
  const unix = timeThenYear.exec(plain)
  if (unix) return { local: `${unix[2]} ${unix[1]} ${unix[4]} ${unix[3]}` }
  const numeric = isoDate.exec(plain)
  return numeric ? { local: `${numeric[1]} ${numeric[2]}` } : {}
}

function plausibleTime(at: number): number | undefined {
  return at > -2_208_988_800_000 && at < 4_102_444_800_000 ? at : undefined
}

/** Reads the report on each address from a message/delivery-status part. */
export function deliveryReports(text: string): DeliveryReport[] {
  return text
    .slice(0, 200_000)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .flatMap((group) => {
      const fields = new Map(
        group
          .split('\n')
          .map((line) => [
            line.slice(0, line.indexOf(':')).trim().toLowerCase(),
            line.slice(line.indexOf(':') + 1).trim(),
          ]),
      )
      const address = /(?:^|;)\s*<?([^\s<>;]+@[^\s<>;]+)>?\s*$/.exec(
        fields.get('original-recipient') ?? fields.get('final-recipient') ?? '',
      )?.[1]
      const action = fields.get('action')?.toLowerCase()
      if (!address || !action || !/^(failed|delayed|delivered|relayed|expanded)$/.test(action))
        return []
      const status = fields.get('status')
      const diagnostic = fields.get('diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, '')
      return [
        {
          address: address.toLowerCase(),
          action: action as DeliveryReport['action'],
          ...(status ? { status: headerText(status, 20) } : {}),
          ...(diagnostic ? { diagnostic: headerText(diagnostic, 500) } : {}),
        },
      ]
    })
    .slice(0, 100)
}
