import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { answeredForms, form, formResponse } from './access.ts'

/** Answers to forms lie under their form, for those who may read what was answered to it. */
export const searchableResponses = searchable({
  kind: 'form_response',
  source: 'answers to forms',
  resource: formResponse,
  containers: answeredForms,
  narrow: (_, responses, { project, person: respondent }) => {
    if (project) return undefined
    return respondent
      ? responses.where('form_responses.respondent_id', '=', respondent.id)
      : responses
  },
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
