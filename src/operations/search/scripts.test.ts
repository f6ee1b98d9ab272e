import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { migrations } from '../../db/migrate.ts'
import { runTicks } from '../../jobs/scheduler.ts'
import type { Row } from '../../records/resource.ts'
import { aclTokensOf } from '../../search/index.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

// Texts in twelve languages match by word, and those without spaces by any two characters.

let workspace: TestWorkspace

/** Title, description, and queries whose first hit is this task. */
const texts: [title: string, description: string, questions: string[]][] = [
  [
    '明天的会议改到三点',
    '请大家提前准备项目预算和会议纪要。',
    ['会议', '会议纪要', '项目预算', '三点', '点'],
  ],
  ['来月の請求書を送る', '経理部にメールで確認してください。', ['請求書', '経理', '来月', 'ﾒｰﾙ']],
  ['서버를 다시 시작해야 합니다', '배포는 금요일에 끝났습니다.', ['서버', '배포', '금요일']],
  ['ส่งใบแจ้งหนี้ให้ลูกค้า', 'ลูกค้าขอใบเสร็จรับเงินด้วย', ['ใบแจ้งหนี้', 'ลูกค้า', 'ใบเสร็จ']],
  ['बजट की बैठक कल होगी', 'हिंदी में कार्यसूची भेजें', ['बैठक', 'कार्यसूची', 'हिन्दी बजट']],
  [
    'Ο προϋπολογισμός εγκρίθηκε',
    'Η ΣΥΝΆΝΤΗΣΗ είναι αύριο στην Αθήνα.',
    ['προυπολογισμος', 'συναντηση', 'ΑΘΗΝΑ'],
  ],
  [
    'Новый договор с поставщиком',
    'Всё готово, ёлка куплена, чай заказан.',
    ['договор', 'елка', 'чаи'],
  ],
  ['فاتورة الشهر القادم', 'أرسل العَقْد إلى المحاسب', ['فاتوره', 'العقد', 'ارسل']],
  ['חוזה השכירות מוכן', 'נא לחתום עד יום שלישי', ['חוזה', 'לחתום']],
  [
    'Größe der Straße prüfen',
    'Die Übergabe ist in Łódź.',
    ['strasse', 'GROSSE', 'ubergabe', 'lodz'],
  ],
  ['Dự toán ngân sách', 'Họp vào thứ sáu', ['ngan sach', 'du toan', 'thu sau']],
  [
    'Rech\u00adnungs\u00adnummer fehlt',
    'Das Schiff ist ﬁnanziert.',
    ['Rechnungsnummer', 'finanziert'],
  ],
]

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Harbour', key: 'HAR', member_ids: [bob.id] })
  for (const [title, description_markdown] of texts)
    await ann.call('create_task', { project_id: 'HAR', title, description_markdown })
  await workspace.app.searchEngine.maintain()
})
after(() => workspace.close())

test('each text is the first hit for questions in its language, by words alone too', async () => {
  const missed: string[] = []
  for (const [title, , questions] of texts)
    for (const query of questions) {
      const hits: { title: string }[] = [
        (await workspace.bob.call('search_workspace', { query })).items[0]?.item,
        (await workspace.bob.call('search_tasks', { query, mode: 'keyword' })).items[0]?.task,
      ]
      for (const hit of hits) if (hit?.title !== title) missed.push(`${query}: ${hit?.title}`)
    }
  assert.deepEqual(missed, [])
})

test('the searches and filters of tasks, pages, messages and contacts find them too', async () => {
  const { ann } = workspace
  await ann.call('create_page', { title: '预算', body_markdown: '项目预算已经批准。' })
  await ann.call('create_contact', { name: '山田太郎', title: '大阪支社の部長' })
  const channel = await ann.call('create_channel', { name: 'general' })
  await ann.call('send_message', { channel_id: channel.id, body_markdown: '今天的午餐是饺子' })
  const titles = async (tool: string, query: string) =>
    JSON.stringify((await ann.call(tool, { query })).items)
  assert.match(await titles('search_tasks', '請求'), /来月の請求書を送る/)
  assert.match(await titles('search_pages', '批准'), /预算/)
  assert.match(await titles('search_contacts', '太郎'), /山田太郎/)
  assert.match(await titles('search_messages', '饺子'), /午餐/)
})

test('quotation marks require the characters in order', async () => {
  const tasks = async (query: string) =>
    (await workspace.ann.call('search_tasks', { query, mode: 'keyword' })).items.map(
      ({ task }: any) => task.title,
    )
  await workspace.ann.call('create_task', { project_id: 'HAR', title: '会议不在明天' })
  assert.deepEqual(await tasks('"明天的会议"'), ['明天的会议改到三点'])
  assert.deepEqual(await tasks('"会议不在"'), ['会议不在明天'])
  assert.deepEqual(await tasks('"天"'), ['会议不在明天', '明天的会议改到三点'])
})

test('a snippet shows the matching part of a run', async () => {
  const { ann } = workspace
  await ann.call('create_page', {
    title: '长文',
    body_markdown: `${'这里没有什么。'.repeat(100)}会议纪要在这里。${'后面也没有什么。'.repeat(100)}`,
  })
  const { items } = await ann.call('search_workspace', { query: '会议纪要', types: ['page'] })
  assert.match(items[0].snippet, /会议纪要/)
})

test('texts indexed by an earlier version are reindexed, except pure ASCII ones', async (t) => {
  const earlier = await makeWorkspace()
  t.after(() => earlier.close())
  const { app, ann } = earlier
  await ann.call('create_project', { name: 'Harbour', key: 'HAR' })
  for (const title of ['下周的预算会议', 'Budget meeting', 'Straße prüfen'])
    await ann.call('create_task', { project_id: 'HAR', title })
  const hits = async (query: string) =>
    (await ann.call('search_tasks', { query, mode: 'keyword' })).items.length
  const { write } = app.store.raw
  await app.store.writer.run(async () => {
    const replace = write.prepare(
      'insert or replace into search_fts (rowid, title, body, acl) values (?, ?, ?, ?)',
    )
    for (const { rowid_, title, body, item_type, container } of write
      .prepare('select * from search_docs')
      .all() as Row<'search_docs'>[])
      replace.run(rowid_, title, body, aclTokensOf(item_type, container))
    write.exec(migrations().find(({ name }) => name.startsWith('053-'))!.sql)
  })
  const due = () =>
    app.store.raw.read
      .prepare("select count(*) from search_todo where provider = 'words'")
      .pluck()
      .get()
  assert.deepEqual(
    [due(), await hits('预算'), await hits('strasse'), await hits('prüfen')],
    [2, 0, 0, 1],
  )
  await runTicks(app)
  assert.deepEqual([due(), await hits('预算'), await hits('strasse')], [0, 1, 1])
})
