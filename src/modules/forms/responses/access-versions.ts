// The fields of a form as they were when someone answered them. A version is kept with the first answer to it, so that whatever changes the fields later (a call, an undo) leaves what was answered its words.

import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Id } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { formFields, type FormField } from '../forms/fields.ts'
import { asAnswered, otherWording } from './wordings.ts'

type All = Kysely<Tables>
type Lists = Pick<Row<'forms'>, 'id' | 'fields_json' | 'retired_json'>

/** The version of the fields that a form has now, for an answer to them; it is kept where it is not yet. */
export async function versionNow(
  viewer: Viewer,
  { id, org_id, fields_json }: Row<'forms'>,
): Promise<number> {
  const { all } = accessScopeOf(viewer)
  const versions = all.selectFrom('form_versions').where('form_id', '=', id)
  const same = await versions
    .select('version')
    .where('fields_json', '=', fields_json)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (same) return same.version
  const { last } = await versions
    .select((eb) => eb.fn.max<number | null>('version').as('last'))
    .executeTakeFirstOrThrow()
  const version = Number(last ?? 0) + 1
  await all
    .insertInto('form_versions')
    .values({ form_id: id, version, org_id, fields_json })
    .execute()
  return version
}

/** The fields of some versions of a form. */
export const fieldsOfVersions = (
  viewer: Viewer,
  formId: Id<'forms'>,
  versions: readonly number[],
): Promise<Map<number, FormField[]>> => fieldsIn(accessScopeOf(viewer).all, formId, versions)

async function fieldsIn(
  all: All,
  formId: Id<'forms'>,
  versions: readonly number[],
): Promise<Map<number, FormField[]>> {
  if (versions.length === 0) return new Map()
  const rows = await all
    .selectFrom('form_versions')
    .select(['version', 'fields_json'])
    .where('form_id', '=', formId)
    .where('version', 'in', [...new Set(versions)])
    .execute()
  return byVersion(rows)
}

const byVersion = (rows: readonly { version: number; fields_json: string }[]) =>
  new Map(rows.map((row) => [row.version, JSON.parse(row.fields_json) as FormField[]]))

/** The fields of a form as they were when a response was given, with those that it did not ask then. */
export async function fieldsThen(
  all: All,
  form: Lists,
  { form_version }: Pick<Row<'form_responses'>, 'form_version'>,
): Promise<FormField[]> {
  const then = await fieldsIn(all, form.id, [form_version])
  return asAnswered(formFields(form), then.get(form_version) ?? []).map(({ then: field }) => field)
}

/** The fields of a form as they were in each version that was answered, the latest first. */
async function allVersions(viewer: Viewer, lists: Lists): Promise<Map<number, FormField[]>> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('form_versions')
    .select(['version', 'fields_json'])
    .where('form_id', '=', lists.id)
    .orderBy('version', 'desc')
    .execute()
  return byVersion(rows)
}

/** A field that was ever answered or can be, and the versions in which it was asked in other words. */
interface FieldWithVersions {
  field: FormField
  otherwise: number[]
}

/** The fields of the form, those that were taken out, and those that an undo took away. */
function allFormFields(form: Lists, versions: ReadonlyMap<number, FormField[]>): FormField[] {
  const fields = new Map(formFields(form).map((field) => [field.id, field]))
  for (const field of [...versions.values()].flat())
    if (!fields.has(field.id)) fields.set(field.id, field)
  return [...fields.values()]
}

/** All fields that were ever answered or can be, each with the versions that asked it in other words. */
export async function fieldsWithVersions(
  viewer: Viewer,
  lists: Lists,
): Promise<FieldWithVersions[]> {
  const versions = await allVersions(viewer, lists)
  return allFormFields(lists, versions).map((now) => {
    const isOther = (fields: readonly FormField[]) => {
      const then = fields.find(({ id }) => id === now.id)
      return then !== undefined && otherWording({ now, then }) !== undefined
    }
    return {
      field: now,
      otherwise: [...versions].flatMap(([version, asked]) => (isOther(asked) ? [version] : [])),
    }
  })
}

/** All fields that were ever answered or can be. */
export async function everyField(reader: Viewer, form: Lists): Promise<FormField[]> {
  return allFormFields(form, await allVersions(reader, form))
}
