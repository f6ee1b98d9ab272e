import { test } from 'node:test'
import { noChromium, openWeb } from './setup.ts'

const skip = noChromium

test('the page of an item follows what others do while it is open', { skip }, async (t) => {
  const web = await openWeb(t)
  await web.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await web.ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves' })
  await web.ann.call('create_channel', { name: 'garage' })
  const ann = await web.visit(web.ann)
  await ann.go('/tasks/ENG-1')
  await ann.page.getByRole('heading', { name: 'Oil the valves' }).waitFor()
  const key = await web.key(web.ann)
  await web.ann.call(
    'update_task',
    { task_id: 'ENG-1', title: 'Grease the valves' },
    { key, via: 'mcp' },
  )
  await ann.page.getByRole('heading', { name: 'Grease the valves' }).waitFor()
  await web.ann.call('add_task_comment', { task_id: 'ENG-1', body_markdown: 'Done at noon.' })
  await ann.page.getByText('Done at noon.').waitFor()
  const { id } = (await web.ann.call('list_channels')).items.find(
    (item: any) => item.name === 'garage',
  )
  await ann.go(`/channels/${id}`)
  await web.ann.call('send_message', { channel_id: id, body_markdown: 'The oil has arrived.' })
  await ann.page.getByText('The oil has arrived.').waitFor()
  ann.well()
})
