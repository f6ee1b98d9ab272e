import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { makeWorkspace } from '../../../testing/harness.ts'

test('a multi-line answer stays in its cell, even for parsers that end rows at any line feed', async () => {
  const workspace = await makeWorkspace()
  try {
    const { bob } = workspace
    const fields = [{ id: 'why', label: 'Why', type: 'long_text' }]
    const { id: form_id } = await bob.call('create_form', { title: 'Lines', fields })
    await bob.call('publish_form', { form_id })
    await bob.call('submit_form_response', { form_id, answers: { why: 'one\ntwo' } })
    const { inline } = await bob.call('export_form_responses', { form_id })
    const rows: any[] = parse(inline, { columns: true, record_delimiter: ['\n', '\r\n'] })
    assert.deepEqual(
      rows.map((row) => row.Why),
      ['one\ntwo'],
    )
  } finally {
    await workspace.close()
  }
})
