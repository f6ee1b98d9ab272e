import { findable } from '../../search/findable.ts'
import { person } from '../directory/access.ts'
import { answeredForms, form, formResponse } from './access.ts'

/** Answers to forms lie under their form, for those who may read what was answered to it. */
export const foundResponses = findable({
  kind: 'form_response',
  source: 'answers to forms',
  resource: formResponse,
  containers: answeredForms,
  narrow: (_, responses, { project, person: who }) =>
    project
      ? undefined
      : who
        ? responses.where('form_responses.respondent_id', '=', who.id)
        : responses,
  async facts(ctx, rows) {
    const people = await person.among(
      ctx,
      rows.flatMap((row) => row.respondent_id ?? []),
    )
    const forms = await form.among(
      ctx,
      rows.map((row) => row.form_id),
    )
    return new Map(
      rows.map((row) => {
        const name =
          row.respondent_id === null
            ? row.respondent_email
            : people.get(row.respondent_id)?.display_name
        const of = forms.get(row.form_id)
        return [
          row.id,
          { people: name ? [name] : [], trust: row.trust, place: of && form.ref(of, ctx.baseUrl) },
        ]
      }),
    )
  },
})
