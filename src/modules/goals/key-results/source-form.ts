import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import {
  averageAnswer,
  countCompleted,
  requireResponseAccess,
  formFields,
  form,
  mayReadResponses,
  netPromoterScore,
} from '../../forms/access.ts'
import { manualSource, readParams, roundKeyResult, type SourceKind } from './source-rules.ts'

const Params = z.strictObject({
  form_id: z.string().min(1).max(320),
  measure: z.enum(['responses', 'average', 'nps']).optional(),
  field_id: z.string().min(1).max(40).optional(),
})

/** Stored form of the parameters. */
interface StoredFormParams {
  form_id: string
  measure: 'responses' | 'average' | 'nps'
  field_id?: string
}

/** A form: number of responses, mean of a numeric field, or net promoter score. */
export const fromForm: SourceKind = {
  async read(ctx, params, { metric }, at) {
    const {
      form_id,
      measure = 'responses',
      field_id,
    } = readParams(
      Params,
      params,
      at,
      'Allowed parameters: form_id, measure (responses, average or nps) and field_id.',
    )
    if (
      metric === 'boolean' ||
      metric === 'currency' ||
      (metric === 'percent' && measure !== 'nps')
    )
      throw invalid(
        `${at}.kind`,
        `the ${measure} of a form cannot be the source of a key result with metric ${metric}.`,
        'Use number; nps may be percent.',
      )
    const formRow = await form.demand(ctx, form_id, 'see', `${at}.params.form_id`)
    await requireResponseAccess(ctx, formRow)
    const counted: StoredFormParams = { form_id: formRow.id, measure }
    if (measure === 'responses' && field_id !== undefined)
      throw invalid(
        `${at}.params.field_id`,
        'measure responses counts all responses, regardless of fields.',
        'Omit it, or send measure average or nps.',
      )
    if (measure !== 'responses') {
      const types = measure === 'nps' ? ['nps'] : ['number', 'rating', 'nps']
      const field = formFields(formRow).find(
        (formField) =>
          types.includes(formField.type) && (field_id === undefined || formField.id === field_id),
      )
      if (!field)
        throw invalid(
          `${at}.params.field_id`,
          `this form has no such field of type ${types.join(' or ')}.`,
        )
      counted.field_id = field.id
    }
    return {
      ...manualSource,
      source_kind: 'form',
      source_params_json: JSON.stringify(counted),
      source_by: ctx.actor.id,
    }
  },
  async count(ctx, { source_params_json }) {
    const { form_id, measure, field_id = '' } = JSON.parse(source_params_json!) as StoredFormParams
    const formRow = await form.find(ctx, form_id)
    if (!formRow || !(await mayReadResponses(ctx, formRow.id))) return undefined
    if (measure === 'responses') return countCompleted(ctx, formRow.id, {})
    const value =
      measure === 'nps'
        ? await netPromoterScore(ctx, formRow.id, field_id, {})
        : await averageAnswer(ctx, formRow.id, field_id)
    return value === undefined ? 0 : roundKeyResult(value)
  },
}
