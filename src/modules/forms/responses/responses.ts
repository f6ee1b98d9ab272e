import { z } from 'zod'
import { fields, pageOf, paging, shortText, typeOnlyInLog } from '../../../kernel/fields.ts'
import { itemsWithWords, pageOfHits } from '../../../operations/search/hits.ts'
import { valuesByItemId } from '../../../kernel/keyed-items.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { requireResponseAccess, form, formResponse } from '../access.ts'
import { countVisitOf, eraseResponse } from './access.ts'
import { checkAnswers } from './answers.ts'
import { formFields, type FormField } from '../forms/fields.ts'
import { storeAnswerFiles } from './files.ts'
import {
  fieldFilters,
  filterResponses,
  periodInput,
  readFieldFilters,
  readPeriod,
  responsesOf,
} from './filters.ts'
import { FormResponse, presentResponses } from '../shapes.ts'
import { requireOpenForm } from '../forms/states.ts'
import { storeResponse, answersRefusal } from './submissions.ts'

export const listFormResponses = operation({
  name: 'list_form_responses',
  searchHint: 'survey answers, submissions, what did people reply, read the replies',
  kind: 'read',
  rest: 'GET /api/forms/{form_id}/responses',
  about: 'Responses with answers, filtered by time, field value or text',
  on: { form: form.see },
  input: {
    ...periodInput,
    field_filters: fieldFilters(),
    query: shortText(500).optional().describe('words in any answer; best matches first'),
    fields: fields(),
    ...paging,
  },
  output: pageOf(FormResponse),
  async handle({ form, after, before, field_filters, query, limit, cursor }, ctx) {
    await requireResponseAccess(ctx, form)
    const within = readPeriod(ctx, { after, before })
    const filters = await readFieldFilters(ctx, form, field_filters)
    if (!query?.trim()) {
      const query = responsesOf(ctx, form, within, filters).selectAll('form_responses')
      const page = await paged(
        query,
        [
          { by: 'form_responses.created_at', as: 'created_at', dir: 'desc' },
          { by: 'form_responses.id', as: 'id', dir: 'desc' },
        ],
        { limit, cursor },
      )
      return pageWithItems(page, await presentResponses(ctx, form, page.items))
    }
    const hits = await itemsWithWords(ctx, query, {
      resource: formResponse,
      containers: [form.id],
      narrow: (rows) => filterResponses(rows, form, within, filters),
    })
    const page = pageOfHits(hits, { limit, cursor })
    const rows = await formResponse.among(
      ctx,
      page.items.map((item) => item.id),
    )
    return pageWithItems(
      page,
      await presentResponses(
        ctx,
        form,
        page.items.flatMap((item) => rows.get(item.id) ?? []),
      ),
    )
  },
})

export const submitFormResponse = operation({
  name: 'submit_form_response',
  searchHint: 'answer a survey, fill in a questionnaire',
  kind: 'write',
  weight: 5,
  rest: 'POST /api/forms/{form_id}/responses',
  creates: 'item',
  about: 'Fill in a form as you, validated like the web form',
  on: { form: form.see },
  input: {
    answers: typeOnlyInLog(z.record(z.string().max(200), z.unknown())).describe(
      'by field id or label: texts, numbers, true or false, dates as 2026-11-20, lists of options; for files a list of ids or of {name, content_base64}. Answers to hidden fields are ignored',
    ),
  },
  output: FormResponse,
  async handle({ form, answers }, ctx) {
    requireOpenForm(form, ctx.now)
    const fields = JSON.parse(form.fields_json) as FormField[]
    const { values, problems } = checkAnswers(
      fields,
      valuesByItemId(
        answers,
        fields.map((field) => ({ id: field.id, name: field.label })),
        'answers',
      ),
    )
    if (problems.length > 0) throw answersRefusal(formFields(form), problems)
    const stored = await storeAnswerFiles(ctx, formFields(form), values)
    const { id, email } = ctx.actor
    const row = await storeResponse(ctx, form, {
      ...stored,
      trust: 'internal',
      respondent: { id, email },
    })
    await countVisitOf(ctx, form, row.submitted_on, 'started')
    return (await presentResponses(ctx, form, [row]))[0]!
  },
})

export const deleteFormResponse = operation({
  name: 'delete_form_response',
  searchHint: 'erase an answer, GDPR, remove a submission',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/forms/{form_id}/responses/{response_id}',
  about: 'Permanently erase one response, e.g. on a data request',
  on: { form: form.see, response: formResponse.own.of('form', 'form_id') },
  output: DeletedRef,
  async handle({ response: row }, ctx) {
    const item = formResponse.ref(row, ctx.baseUrl)
    const files = await eraseResponse(ctx, row)
    return deletedRef(ctx, item, files === 0 ? [] : [{ type: 'file', count: files }], {
      erased: true,
    })
  },
})
