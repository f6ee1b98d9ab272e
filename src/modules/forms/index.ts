import type { Module } from '../../operations/module.ts'
import { deliverResponses, maintainForms } from './forms/jobs.ts'
import { fulfilResponse } from './responses/fulfilment.ts'
import * as exports from './responses/exports.ts'
import { searchableResponses } from './searchable.ts'
import * as forms from './forms/forms.ts'
import { formPages } from './public/routes.ts'
import * as publishing from './forms/publication.ts'
import * as responses from './responses/responses.ts'
import * as stats from './responses/stats.ts'
import { interactionSources } from '../contacts/shapes.ts'
import { formInteractions } from './interactions.ts'
import { formsPresenters } from './presenters.ts'

interactionSources.register(formInteractions)

export const formsModule: Module = {
  name: 'forms',
  about:
    'Forms for colleagues or anyone with the link, and their responses. Nouns: form, response.',
  operations: [forms, publishing, responses, stats, exports].flatMap((noun) => Object.values(noun)),
  events: ['form.published', 'form.closed', 'form.response_received'],
  ticks: [maintainForms, deliverResponses],
  jobs: [fulfilResponse],
  places: formPages,
  searchables: [searchableResponses],
  presenters: formsPresenters,
}
