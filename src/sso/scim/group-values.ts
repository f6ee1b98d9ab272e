import { equalityTerms, type Filter } from './filter.ts'
import {
  isJsonObject,
  asList,
  propertyIgnoringCase,
  requireSchema,
  type Operation,
} from './patch.ts'
import { groupSchema } from './present.ts'
import { invalidValue, ScimRefusal } from './refusals.ts'
import { readAttributeText } from './user-values.ts'

const maxMembers = 5000

export interface GroupValues {
  displayName: string
  externalId: string | undefined
  /** Ids of people; undefined if members are omitted. */
  members: readonly string[] | undefined
}

/** A complete group. @throws ScimRefusal */
export function parseGroupValues(body: unknown): GroupValues {
  if (!isJsonObject(body)) throw invalidValue('The request has no group in it.')
  requireSchema(body, groupSchema)
  const displayName = readAttributeText(body, 'displayname', 200)
  if (displayName === undefined) throw invalidValue('displayName: a group needs one.')
  const members = propertyIgnoringCase(body, 'members')
  return {
    displayName,
    externalId: readAttributeText(body, 'externalid', 254),
    members: members === undefined ? undefined : parseMemberIds(members ?? []),
  }
}

/** One step of a group PATCH. */
export type GroupChange =
  | { kind: 'name'; displayName: string }
  | { kind: 'externalId'; externalId: string | undefined }
  | { kind: 'add' | 'remove' | 'set'; members: readonly string[] }

/** Parses operations into group changes; those on attributes that are not stored are ignored. @throws ScimRefusal */
export function parseGroupChanges(operations: readonly Operation[]): GroupChange[] {
  const changes = operations.flatMap(parseGroupOperation)
  const count = changes.reduce(
    (sum, change) => sum + ('members' in change ? change.members.length : 0),
    0,
  )
  if (count > maxMembers) throw tooManyMembers()
  return changes
}

function parseGroupOperation({ op, path, value }: Operation): GroupChange[] {
  switch (path?.attribute) {
    case 'displayname': {
      if (op === 'remove') throw invalidValue('displayName: a group needs one.')
      const displayName = readAttributeText({ displayname: value }, 'displayname', 200)
      if (displayName === undefined) throw invalidValue('displayName: a group needs one.')
      return [{ kind: 'name', displayName }]
    }
    case 'externalid':
      return [
        {
          kind: 'externalId',
          externalId:
            op === 'remove'
              ? undefined
              : readAttributeText({ externalid: value }, 'externalid', 254),
        },
      ]
    case 'members':
      return [parseMembersChange(op, path.filter, value)]
    default:
      return []
  }
}

function parseMembersChange(
  op: Operation['op'],
  filter: Filter | undefined,
  value: unknown,
): GroupChange {
  if (filter) {
    const ids = idsInFilter(filter)
    if (op !== 'remove' || !ids)
      throw new ScimRefusal('invalidPath', 'Members are named by value eq, and only to be removed.')
    return { kind: 'remove', members: ids }
  }
  if (op === 'add') return { kind: 'add', members: parseMemberIds(value) }
  if (op === 'replace') return { kind: 'set', members: parseMemberIds(value ?? []) }
  const isAll = value === undefined || value === null
  return isAll ? { kind: 'set', members: [] } : { kind: 'remove', members: parseMemberIds(value) }
}

/** `value eq "a" or value eq "b"`. */
function idsInFilter(filter: Filter): string[] | undefined {
  if (filter.kind === 'or') {
    const [left, right] = [idsInFilter(filter.left), idsInFilter(filter.right)]
    return left && right && [...left, ...right]
  }
  const [only, ...more] = equalityTerms(filter) ?? []
  return only?.attribute === 'value' && more.length === 0 ? [String(only.value)] : undefined
}

/** Members are objects with a value; some providers send only the ids. */
function parseMemberIds(value: unknown): string[] {
  const items = asList(value)
  if (items.length > maxMembers) throw tooManyMembers()
  return items.map((item) => {
    const id = isJsonObject(item) ? propertyIgnoringCase(item, 'value') : item
    if (typeof id !== 'string') throw invalidValue('members: each has the id of a user as value.')
    return id
  })
}

function tooManyMembers(): ScimRefusal {
  return new ScimRefusal('tooMany', `A request names at most ${maxMembers} members.`)
}
