import { literals, type Make, type Planter } from './planter.ts'

/** A form that colleagues see, with an answer that they do not: it is `owner_only`. */
export const forms: Planter = {
  async open(make, say) {
    return { form: [(await openForm(make, say)).id] }
  },
  async plant(make, say) {
    const { items } = await make('list_forms', {
      status: ['published'],
      created_by: 'me',
      limit: 1,
    })
    const form = items[0] ?? (await openForm(make, (what) => what))
    const answers = {
      note: say('answer'),
      email: `${say('address').replaceAll(/\W/g, '')}@example.com`,
      file: [
        {
          name: 'answer.txt',
          content_base64: Buffer.from(say('file of an answer')).toString('base64'),
        },
      ],
    }
    const response = await make('submit_form_response', { form_id: form.id, answers })
    return {
      form_response: [response.id],
      file: response.answers.flatMap((answer: { value: unknown }) =>
        Array.isArray(answer.value) ? answer.value.map((file) => file.file_id) : [],
      ),
    }
  },
  rows: (planted) => ({
    form_responses: `id IN (${literals(planted.form_response)})`,
    form_answers: `response_id IN (${literals(planted.form_response)})`,
    form_files: `response_id IN (${literals(planted.form_response)})`,
  }),
  inside(own, planted) {
    const form_id = own.form![0]
    const fields = [{ id: 'note', label: 'x', type: 'short_text' }]
    const toTask = (project_id: string) => ({
      destination: { kind: 'task', mapping: { project_id } },
    })
    return [
      ...planted.project!.flatMap((id): [string, Record<string, unknown>, string][] => [
        ['create_form', { title: 'x', fields, ...toTask(id) }, 'project'],
        ['update_form', { form_id, ...toTask(id) }, 'project'],
      ]),
      ...(planted.person ?? []).map((id): [string, Record<string, unknown>, string] => [
        'create_form',
        {
          title: 'x',
          fields,
          destination: {
            kind: 'task',
            mapping: { project_id: own.project![0], assignee_ids: [id] },
          },
        },
        'person',
      ]),
      ...(planted.webhook ?? []).map((webhook_id): [string, Record<string, unknown>, string] => [
        'create_form',
        { title: 'x', fields, destination: { kind: 'webhook', mapping: { webhook_id } } },
        'webhook',
      ]),
      ...(planted.file ?? []).map((id): [string, Record<string, unknown>, string] => [
        'submit_form_response',
        { form_id, answers: { file: [id] } },
        'file',
      ]),
    ]
  },
}

async function openForm(make: Make, say: (what: string) => string): Promise<{ id: string }> {
  const form = await make('create_form', {
    title: say('form'),
    description_markdown: say('about'),
    fields: [
      { id: 'note', label: say('question'), type: 'long_text' },
      { id: 'email', label: 'Email', type: 'email' },
      { id: 'file', label: 'File', type: 'file' },
    ],
  })
  return make('publish_form', { form_id: form.id, audience: 'organization' })
}
