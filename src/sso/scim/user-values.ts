import { isTimezone } from '../../kernel/fields.ts'
import { assertStorableText } from '../../kernel/text/text.ts'
import {
  asList,
  isPatchObject,
  isTrue,
  memberOf,
  patched,
  requireSchema,
  type Json,
  type Operation,
  type Spelling,
} from './patch.ts'
import { userSchema } from './present.ts'
import { invalidValue } from './refusals.ts'

/** Attributes of a person, reduced to those stored here. */
export interface UserValues {
  /** Lower case. */
  userName: string
  externalId: string | undefined
  /** Undefined if omitted. */
  isActive: boolean | undefined
  /** Lower case; defaults to the user name. */
  email: string
  /** Undefined if no name is given. */
  displayName: string | undefined
  givenName: string | undefined
  familyName: string | undefined
  title: string | undefined
  timezone: string | undefined
}

/** Stored user attributes; all others are ignored. */
const userSpelling: Spelling = {
  username: 'userName',
  externalid: 'externalId',
  active: 'active',
  displayname: 'displayName',
  name: 'name',
  title: 'title',
  timezone: 'timezone',
  emails: 'emails',
}

/**
 * The user after a PATCH. The address follows the user name, and the full name follows its parts, unless an operation
 * sets them. @throws ScimRefusal
 */
export function patchedUser(present: Json, operations: readonly Operation[]): Json {
  const user = patched(present, operations, userSpelling)
  const isNamed = (attribute: string) =>
    operations.some(({ path }) => path?.attribute === attribute)
  const [address] = asList(present.emails)
  if (!isNamed('emails') && isPatchObject(address) && address.value === present.userName)
    delete user.emails
  const isFormatted = operations.some(
    ({ path, value }) =>
      path?.attribute === 'name' &&
      (path.sub === 'formatted' ||
        (path.sub === undefined &&
          isPatchObject(value) &&
          memberOf(value, 'formatted') !== undefined)),
  )
  if (isFormatted && !isNamed('displayname')) delete user.displayName
  return user
}

/** @throws ScimRefusal invalidSyntax or invalidValue, or Refusal invalid_argument for invalid text */
export function userValuesIn(body: unknown): UserValues {
  if (!isPatchObject(body)) throw invalidValue('The request has no user in it.')
  requireSchema(body, userSchema)
  const userName = attributeText(body, 'username', 254)?.toLowerCase()
  if (userName === undefined) throw invalidValue('userName: a user needs one.')
  const names = memberOf(body, 'name') ?? {}
  if (!isPatchObject(names)) throw invalidValue('name: is an object such as {"givenName": "Ada"}.')
  const givenName = attributeText(names, 'givenname', 100)
  const familyName = attributeText(names, 'familyname', 100)
  const joined = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  const timezone = attributeText(body, 'timezone', 60)
  if (timezone !== undefined && !isTimezone(timezone))
    throw invalidValue(`timezone: ${JSON.stringify(timezone)} is not a time zone of IANA's list.`)
  return {
    userName,
    externalId: attributeText(body, 'externalid', 254),
    isActive: booleanIn(body, 'active'),
    email: scimEmailOf(body) ?? requireAddress(userName),
    displayName:
      attributeText(body, 'displayname', 200) ??
      attributeText(names, 'formatted', 200) ??
      (joined || undefined),
    givenName,
    familyName,
    title: attributeText(body, 'title', 200),
    timezone,
  }
}

/** The primary address, else the work address, else the first. */
function scimEmailOf(body: Json): string | undefined {
  const emails = asList(memberOf(body, 'emails') ?? []).map((item) => {
    if (isPatchObject(item)) return item
    throw invalidValue('emails: is a list of objects such as {"value": "ada@example.org"}.')
  })
  const [first] = [
    ...emails.filter((item) => isTrue(memberOf(item, 'primary'))),
    ...emails.filter((item) => String(memberOf(item, 'type')).toLowerCase() === 'work'),
    ...emails,
  ].filter((item) => attributeText(item, 'value', 254) !== undefined)
  return first && requireAddress(attributeText(first, 'value', 254) ?? '')
}

function requireAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.toLowerCase()
  throw invalidValue(
    `emails: ${JSON.stringify(text)} is not an email address, and one is needed here or as userName.`,
  )
}

/** Trimmed text; undefined if empty. @throws ScimRefusal invalidValue */
export function attributeText(
  body: Json,
  lowerName: string,
  maxLength: number,
): string | undefined {
  const value = memberOf(body, lowerName)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidValue(`${lowerName}: this is not text.`)
  assertStorableText(value, lowerName)
  const text = value.trim()
  if (text.length > maxLength)
    throw invalidValue(`${lowerName}: has at most ${maxLength} characters.`)
  return text === '' ? undefined : text
}

function booleanIn(body: Json, lowerName: string): boolean | undefined {
  const value = memberOf(body, lowerName)
  if (value === undefined || value === null) return undefined
  const text = Array.isArray(value) ? '' : String(value).toLowerCase()
  if (text !== 'true' && text !== 'false') throw invalidValue(`${lowerName}: is true or false.`)
  return text === 'true'
}
