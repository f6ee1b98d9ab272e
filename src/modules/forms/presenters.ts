import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { form, formResponse } from './access.ts'
import { presentForms, presentResponses } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const formsPresenters = [
  presenter(form, {
    operation: 'list_forms',
    entries: presentForms,
    get: { operation: 'get_form', argument: 'form_id' },
  }),
  partPresenter(formResponse, {
    operation: 'list_form_responses',
    resource: form,
    by: 'form_id',
    entries: presentResponses,
  }),
]
