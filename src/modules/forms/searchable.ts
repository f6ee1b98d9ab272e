import { hitFacts } from '../../operations/search/hit-facts.ts'
import { byPerson, searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { answeredForms, form, formResponse } from './access.ts'

/** Responses are contained in their form, for those who may read them. */
export const searchableResponses = searchable({
  kind: 'form_response',
  source: 'answers to forms',
  resource: formResponse,
  containers: answeredForms,
  narrow: byPerson('form_responses.respondent_id'),
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, place: form },
      rows.map((row) => ({
        id: row.id,
        people: [row.respondent_id],
        names: row.respondent_id === null && row.respondent_email ? [row.respondent_email] : [],
        place: row.form_id,
        trust: row.trust,
      })),
    ),
})
