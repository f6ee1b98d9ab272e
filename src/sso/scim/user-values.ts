import { isTimezone } from '../../kernel/fields.ts'
import { assertStorableText } from '../../kernel/text/text.ts'
import {
  asList,
  isJsonObject,
  isTrue,
  propertyIgnoringCase,
  applyPatch,
  requireSchema,
  type Json,
  type Operation,
  type AttributeNames,
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
const userAttributeNames: AttributeNames = {
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
export function patchUser(present: Json, operations: readonly Operation[]): Json {
  const user = applyPatch(present, operations, userAttributeNames)
  const isChanged = (attribute: string) =>
    operations.some(({ path }) => path?.attribute === attribute)
  const [address] = asList(present.emails)
  if (!isChanged('emails') && isJsonObject(address) && address.value === present.userName)
    delete user.emails
  const isFormattedNameChanged = operations.some(
    ({ path, value }) =>
      path?.attribute === 'name' &&
      (path.subAttribute === 'formatted' ||
        (path.subAttribute === undefined &&
          isJsonObject(value) &&
          propertyIgnoringCase(value, 'formatted') !== undefined)),
  )
  if (isFormattedNameChanged && !isChanged('displayname')) delete user.displayName
  return user
}

/** @throws ScimRefusal invalidSyntax or invalidValue, or Refusal invalid_argument for invalid text */
export function parseUserValues(body: unknown): UserValues {
  if (!isJsonObject(body)) throw invalidValue('The request has no user in it.')
  requireSchema(body, userSchema)
  const userName = readAttributeText(body, 'username', 254)?.toLowerCase()
  if (userName === undefined) throw invalidValue('userName: a user needs one.')
  const names = propertyIgnoringCase(body, 'name') ?? {}
  if (!isJsonObject(names)) throw invalidValue('name: is an object such as {"givenName": "Ada"}.')
  const givenName = readAttributeText(names, 'givenname', 100)
  const familyName = readAttributeText(names, 'familyname', 100)
  const joined = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  const timezone = readAttributeText(body, 'timezone', 60)
  if (timezone !== undefined && !isTimezone(timezone))
    throw invalidValue(`timezone: ${JSON.stringify(timezone)} is not a time zone of IANA's list.`)
  return {
    userName,
    externalId: readAttributeText(body, 'externalid', 254),
    isActive: readBoolean(body, 'active'),
    email: readEmail(body) ?? requireAddress(userName),
    displayName:
      readAttributeText(body, 'displayname', 200) ??
      readAttributeText(names, 'formatted', 200) ??
      (joined || undefined),
    givenName,
    familyName,
    title: readAttributeText(body, 'title', 200),
    timezone,
  }
}

/** The primary address, otherwise the work address, otherwise the first. */
function readEmail(body: Json): string | undefined {
  const emails = asList(propertyIgnoringCase(body, 'emails') ?? []).map((item) => {
    if (isJsonObject(item)) return item
    throw invalidValue('emails: is a list of objects such as {"value": "ada@example.org"}.')
  })
  const [first] = [
    ...emails.filter((item) => isTrue(propertyIgnoringCase(item, 'primary'))),
    ...emails.filter((item) => String(propertyIgnoringCase(item, 'type')).toLowerCase() === 'work'),
    ...emails,
  ].filter((item) => readAttributeText(item, 'value', 254) !== undefined)
  return first && requireAddress(readAttributeText(first, 'value', 254) ?? '')
}

function requireAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.toLowerCase()
  throw invalidValue(
    `emails: ${JSON.stringify(text)} is not an email address, and one is needed here or as userName.`,
  )
}

/** Trimmed text; undefined if empty. @throws ScimRefusal invalidValue */
export function readAttributeText(
  body: Json,
  lowerName: string,
  maxLength: number,
): string | undefined {
  const value = propertyIgnoringCase(body, lowerName)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidValue(`${lowerName}: this is not text.`)
  assertStorableText(value, lowerName)
  const text = value.trim()
  if (text.length > maxLength)
    throw invalidValue(`${lowerName}: has at most ${maxLength} characters.`)
  return text === '' ? undefined : text
}

function readBoolean(body: Json, lowerName: string): boolean | undefined {
  const value = propertyIgnoringCase(body, lowerName)
  if (value === undefined || value === null) return undefined
  const text = Array.isArray(value) ? '' : String(value).toLowerCase()
  if (text !== 'true' && text !== 'false') throw invalidValue(`${lowerName}: is true or false.`)
  return text === 'true'
}
