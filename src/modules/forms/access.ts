import { sql, type SqlBool } from 'kysely'
import { isAdmin } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { denied } from '../../kernel/refusal.ts'
import { extend } from '../../records/resource-extensions.ts'
import { prepared } from '../../records/prepared.ts'
import { resource, type Row, type Scoped } from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { fileHolders } from '../drive/access.ts'
import { dropResponse, responseSearchText, taskFromResponse } from './responses/access.ts'

export { formFields } from './forms/fields.ts'
export {
  averageAnswer,
  countCompleted,
  netPromoterScore,
} from './responses/access-stats.ts'

const rule = 'Only the form owner or an administrator may do this.'

function organizationForms(scope: AccessScope): Scoped<'forms'> {
  return scope.all.selectFrom('forms').where('forms.org_id', '=', scope.actor.org_id)
}

function editableForms(accessScope: AccessScope): Scoped<'forms'> {
  return isAdmin(accessScope.actor)
    ? organizationForms(accessScope)
    : organizationForms(accessScope).where('forms.created_by', '=', accessScope.actor.id)
}

/** Whether a form is open to anyone with its address. */
const isPublic = (row: Row<'forms'>) =>
  row.status === 'published' && row.audience === 'public' && row.deleted_at === null

/** Whether its address shows anything, even that it is closed. */
const hasPublicPage = (row: Row<'forms'>) =>
  row.slug !== null && row.audience === 'public' && row.deleted_at === null

/** Opening it to the public counts as sending. */
const becomesPublic = (row: Row<'forms'>, before: Row<'forms'> | undefined) =>
  isPublic(row) && !(before && isPublic(before))

/** Members see all forms; guests see published ones and their own. Its creator and administrators change a form. */
export const form = resource(
  'forms',
  {
    type: 'form',
    prefix: 'frm',
    see: (s) =>
      s.actor.role === 'guest'
        ? organizationForms(s).where((eb) =>
            eb.or([eb('forms.status', '=', 'published'), eb('forms.created_by', '=', s.actor.id)]),
          )
        : organizationForms(s),
    edit: editableForms,
    own: editableForms,
    rule: { edit: rule, own: rule },
    isOutbound: becomesPublic,
    outside: {
      isVisible: hasPublicPage,
      unseen: [
        'retired_json',
        'responses_visible_to',
        'destination_json',
        'published_at',
        'last_response_at',
        'told_at',
      ],
    },
    names: { columns: ['title'], details: (row) => ({ status: row.status }) },
    list: { tool: 'list_forms' },
    title: (row) => row.title,
    path: (row) => `forms/${row.id}`,
    unaudited: ['last_response_at', 'told_at', 'retired_json', 'slug'],
  },
  { trash: true },
)

/** Forms whose responses the actor may read: those readable by the organization, and those that the actor maintains. */
function readableForms(scope: AccessScope): Scoped<'forms'> {
  const all = organizationForms(scope)
  if (isAdmin(scope.actor)) return all
  return all.where((eb) =>
    eb.or([
      eb('forms.created_by', '=', scope.actor.id),
      ...(scope.actor.role === 'guest'
        ? []
        : [eb('forms.responses_visible_to', '=', 'organization')]),
    ]),
  )
}

function responsesOf(accessScope: AccessScope, forms: Scoped<'forms'>): Scoped<'form_responses'> {
  const liveForm = form
    .live(forms, accessScope)
    .where('forms.id', '=', sql.ref<never>('form_responses.form_id'))
    .select(sql<number>`1`.as('one'))
  return accessScope.all
    .selectFrom('form_responses')
    .where('form_responses.org_id', '=', accessScope.actor.org_id)
    .where(sql<SqlBool>`exists ${liveForm}`)
}

/**
 * Responses: visible with their form; if `owner_only`, only to those who maintain it. Never changed, and permanently
 * deleted.
 */
export const formResponse = resource('form_responses', {
  type: 'form_response',
  prefix: 'fre',
  see: (s) => responsesOf(s, readableForms(s)),
  edit: (s) => responsesOf(s, editableForms(s)),
  own: (s) => responsesOf(s, editableForms(s)),
  rule: { edit: rule, own: rule },
  hardDelete: true,
  title: (row) =>
    `Answer of ${new Date(row.created_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  isExternal: (row) => row.trust === 'external',
  path: (row) => `forms/${row.form_id}/responses/${row.id}`,
  unaudited: [
    'answers_json',
    'respondent_email',
    'ticket',
    'destination_error',
    'destination_state',
    'seconds',
    'submitted_on',
    'score',
  ],
  search: responseSearchText,
})

extend(formResponse, 'taskSource', {
  asTask: taskFromResponse,
})

extend(formResponse, 'undo', {
  undoCreate: (row, ctx) => dropResponse(ctx, row),
})

/** Whether a person may read the responses to a visible form. */
export async function mayReadResponses(viewer: Viewer, id: Id<'forms'>): Promise<boolean> {
  return (await formsWithReadableResponses(viewer, [id])).length > 0
}

/** Filters forms to those whose responses a person may read. */
export async function formsWithReadableResponses(
  reader: Viewer,
  ids: readonly Id<'forms'>[],
): Promise<Id<'forms'>[]> {
  if (ids.length === 0) return []
  const s = accessScopeOf(reader)
  const rows = await form
    .live(readableForms(s), s)
    .where('forms.id', 'in', ids)
    .select('forms.id')
    .execute()
  return rows.map((row) => row.id)
}

/** Forms with responses readable by a person. */
export async function answeredForms(viewer: Viewer): Promise<Id<'forms'>[]> {
  return (await formsWithAnswers(viewer, {})).map((row) => row.id)
}

const formsWithAnswers = prepared((scope) => {
  const hasResponses = sql<SqlBool>`exists (select 1 from form_responses where form_responses.form_id = forms.id)`
  return form.live(readableForms(scope), scope).where(hasResponses).select('forms.id')
})

/** @throws Refusal permission_denied if the caller sees the form, but not its responses */
export async function requireResponseAccess(viewer: Viewer, form: Row<'forms'>): Promise<void> {
  if (!(await mayReadResponses(viewer, form.id)))
    throw denied('Only the form owner and administrators may read the responses.')
}

/** Files of readable responses, if the respondent may share them. */
fileHolders.register({
  shows: (s, file, isGivenBy) => {
    const readableResponse = formResponse
      .visibleTo(s)
      .innerJoin('form_files', 'form_files.response_id', 'form_responses.id')
      .where('form_files.file_id', '=', sql.ref<never>(file))
      .where(isGivenBy('form_responses.respondent_id'))
      .select(sql<number>`1`.as('one'))
    return sql<SqlBool>`exists ${readableResponse}`
  },
})
