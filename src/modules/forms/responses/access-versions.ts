// A form's fields at the time of each response. A version is stored with its first response, so that later changes of
// the fields (by a call or undo) leave the wording of responses intact.

import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Id } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { formFields, type FormField } from '../forms/fields.ts'
import { pairFieldVersions, otherWording } from './wordings.ts'

type Database = Kysely<Tables>
type FormFieldColumns = Pick<Row<'forms'>, 'id' | 'fields_json' | 'retired_json'>

/** The version of a form's current fields for a response; stored if missing. */
export async function ensureCurrentVersion(
  viewer: Viewer,
  { id, org_id, fields_json }: Row<'forms'>,
): Promise<number> {
  const { all } = accessScopeOf(viewer)
  const versions = all.selectFrom('form_versions').where('form_id', '=', id)
  const existing = await versions
    .select('version')
    .where('fields_json', '=', fields_json)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (existing) return existing.version
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
  all: Database,
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

/** A form's fields at the time of a response, including those not asked then. */
export async function fieldsAtResponse(
  all: Database,
  form: FormFieldColumns,
  { form_version }: Pick<Row<'form_responses'>, 'form_version'>,
): Promise<FormField[]> {
  const versionFields = await fieldsIn(all, form.id, [form_version])
  return pairFieldVersions(formFields(form), versionFields.get(form_version) ?? []).map(
    ({ then: field }) => field,
  )
}

/** A form's fields in each answered version, latest first. */
async function allVersions(
  viewer: Viewer,
  form: FormFieldColumns,
): Promise<Map<number, FormField[]>> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('form_versions')
    .select(['version', 'fields_json'])
    .where('form_id', '=', form.id)
    .orderBy('version', 'desc')
    .execute()
  return byVersion(rows)
}

/** A field that was or can be answered, and the versions with different wording. */
interface FieldWithVersions {
  field: FormField
  otherVersions: number[]
}

/** A form's fields, including removed ones and those that an undo removed. */
function allFormFields(
  form: FormFieldColumns,
  versions: ReadonlyMap<number, FormField[]>,
): FormField[] {
  const fields = new Map(formFields(form).map((field) => [field.id, field]))
  for (const field of [...versions.values()].flat())
    if (!fields.has(field.id)) fields.set(field.id, field)
  return [...fields.values()]
}

/** All fields that were or can be answered, each with the versions of different wording. */
export async function fieldsWithVersions(
  viewer: Viewer,
  form: FormFieldColumns,
): Promise<FieldWithVersions[]> {
  const versions = await allVersions(viewer, form)
  return allFormFields(form, versions).map((now) => {
    const hasOtherWording = (fields: readonly FormField[]) => {
      const then = fields.find(({ id }) => id === now.id)
      return then !== undefined && otherWording({ now, then }) !== undefined
    }
    return {
      field: now,
      otherVersions: [...versions].flatMap(([version, versionFields]) =>
        hasOtherWording(versionFields) ? [version] : [],
      ),
    }
  })
}

/** All fields that were or can be answered. */
export async function allAnswerableFields(
  reader: Viewer,
  form: FormFieldColumns,
): Promise<FormField[]> {
  return allFormFields(form, await allVersions(reader, form))
}
