import type { Module } from '../../core/module.ts'
import { sendResponses, tendForms } from './closing.ts'
import { fulfilResponse } from './delivering.ts'
import * as exports from './exports.ts'
import { foundResponses } from './finds.ts'
import * as forms from './forms.ts'
import { formPages } from './public-forms.ts'
import * as publishing from './publishing.ts'
import * as responses from './responses.ts'
import * as stats from './stats.ts'
import { interactionSources } from '../contacts/shapes.ts'
import { formInteractions } from './interactions.ts'

interactionSources.register(formInteractions)

export const formsModule: Module = {
  name: 'forms',
  about:
    'Forms for colleagues or anyone with the link, and their responses. Nouns: form, response.',
  operations: [forms, publishing, responses, stats, exports].flatMap((noun) => Object.values(noun)),
  events: ['form.published', 'form.closed', 'form.response_received'],
  ticks: [tendForms, sendResponses],
  jobs: [fulfilResponse],
  places: formPages,
  finds: [foundResponses],
}
