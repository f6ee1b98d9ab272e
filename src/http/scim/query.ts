import type { ListQuery } from '../../sso/scim/access-conditions.ts'
import { maxPageSize } from '../../sso/scim/schemas.ts'
import {
  asList,
  isJsonObject,
  propertyIgnoringCase,
  requireSchema,
  type Json,
} from '../../sso/scim/patch.ts'
import { invalidValue } from '../../sso/scim/refusals.ts'

const defaultPageSize = 100

/** @throws ScimRefusal invalidValue */
export function listQueryIn(params: URLSearchParams): ListQuery {
  return {
    filter: params.get('filter') ?? undefined,
    startIndex: Math.max(1, numberIn(params, 'startIndex') ?? 1),
    count: Math.min(maxPageSize, Math.max(0, numberIn(params, 'count') ?? defaultPageSize)),
  }
}

const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** Converts the query in a search body to URL parameters. @throws ScimRefusal invalidSyntax or invalidValue */
export function searchParamsIn(body: unknown): URLSearchParams {
  requireSchema(body, searchSchema)
  if (!isJsonObject(body)) throw invalidValue('The request has no search in it.')
  const params = new URLSearchParams()
  for (const name of ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes']) {
    const value = propertyIgnoringCase(body, name.toLowerCase())
    if (value === undefined || value === null) continue
    const isList = name.endsWith('ttributes')
    if (!isList && !['string', 'number'].includes(typeof value))
      throw invalidValue(`${name}: is ${name === 'filter' ? 'text' : 'a whole number'}.`)
    params.set(name, isList ? asList(value).join(',') : String(value))
  }
  return params
}

function numberIn(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name}: is a whole number.`)
  return Number(text)
}

/** Whether the answer includes an attribute; `lowerName` in lower case. */
export function includesAttribute(params: URLSearchParams, lowerName: string): boolean {
  const [only, without] = [
    attributeNamesIn(params, 'attributes'),
    attributeNamesIn(params, 'excludedAttributes'),
  ]
  return only.length > 0 ? only.includes(lowerName) : !without.includes(lowerName)
}

/** A resource with the requested attributes; identifying ones are always included. */
export function selectAttributes(resource: Json, params: URLSearchParams): Json {
  return Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) =>
        name === 'schemas' || name === 'id' || includesAttribute(params, name.toLowerCase()),
    ),
  )
}

/** Complete attributes: requesting a part, such as `name.givenName`, returns all of it. */
function attributeNamesIn(params: URLSearchParams, name: string): string[] {
  return (params.get(name) ?? '')
    .split(',')
    .map((item) =>
      item
        .trim()
        .toLowerCase()
        .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '')
        .replace(/^(\w+)\..*$/, name === 'attributes' ? '$1' : '$&'),
    )
    .filter((item) => item !== '')
}
