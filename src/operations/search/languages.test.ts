import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { migrations } from '../../db/migrate.ts'
import { runTicks } from '../../jobs/scheduler.ts'
import type { Row } from '../../records/resource.ts'
import { aclTokensOf } from '../../search/index.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

// Inflected forms match each other in eight languages, and parts match German compounds.

let workspace: TestWorkspace

/** A text, and queries whose words do not occur in it literally. */
const texts: [text: string, questions: string[]][] = [
  [
    'Die Kunden haben alle Rechnungen und Verträge für die Häuser noch nicht geprüft, die der Lieferant gesendet hat.',
    ['Kunde', 'Rechnung', 'vertrag', 'Haus', 'Lieferanten'],
  ],
  [
    'Les factures des clients et les contrats des journaux ne sont pas encore signés par la banque.',
    ['facture', 'client', 'contrat', 'journal', 'signer'],
  ],
  [
    'Las facturas de los clientes y los contratos no están pagados en las reuniones.',
    ['factura', 'cliente', 'contrato', 'pagar', 'reunion'],
  ],
  [
    'Le fatture dei clienti e il contratto non sono ancora pagate nelle riunioni con gli amici.',
    ['fattura', 'cliente', 'contratti', 'pagare', 'amico'],
  ],
  [
    'As faturas dos clientes não foram pagas nas reuniões, e os papéis das viagens também.',
    ['fatura', 'cliente', 'reunião', 'papel', 'viagem'],
  ],
  [
    'De rekeningen van de klanten en de brieven zijn nog niet naar het huis gestuurd bij de afspraken.',
    ['rekening', 'klant', 'brief', 'huizen', 'afspraak'],
  ],
  [
    'Räkningarna är inte betalda och kunderna har inga möten om fakturorna på kontoret.',
    ['räkning', 'kund', 'möte', 'faktura', 'kontor'],
  ],
  [
    'Счета клиентов оплачены, договоры компаний подписаны на встречах.',
    ['счёт', 'клиент', 'договор', 'компания', 'подписать'],
  ],
]

const compounds: [text: string, parts: string[]][] = [
  ['Die Stromrechnungen sind für den Mai noch nicht da.', ['Rechnung', 'Strom']],
  ['Der Mietvertrag ist mit der Post gekommen.', ['Vertrag', 'Verträge']],
  ['Das Sitzungsprotokoll ist nicht vollständig.', ['Protokoll', 'Sitzung', 'Sitzungen']],
  ['Die Urlaubsanträge werden bis Freitag geprüft.', ['Antrag', 'Urlaub']],
  ['Eine Kraftfahrzeugversicherung ist für uns zu teuer.', ['Fahrzeuge', 'Versicherung']],
  ['Der Kostenvoranschlag wurde von uns unterschrieben.', ['Kosten']],
  ['Die Softwarelizenz ist auf ein Jahr befristet.', ['Lizenzen', 'Software']],
]

before(async () => {
  workspace = await makeWorkspace()
  const { ann } = workspace
  await ann.call('create_project', { name: 'Harbour', key: 'HAR' })
  for (const [text] of [...texts, ...compounds]) await createTask(text)
  await workspace.app.searchEngine.maintain()
})
after(() => workspace.close())

const createTask = (title: string) =>
  workspace.ann.call('create_task', { project_id: 'HAR', title })

/** The titles of the tasks that a query finds by words alone. */
async function found(query: string): Promise<string[]> {
  const { items } = await workspace.ann.call('search_tasks', { query, mode: 'keyword' })
  return items.map(({ task }: { task: { title: string } }) => task.title)
}

test('a word finds its inflected forms in eight languages', async () => {
  const missed: string[] = []
  for (const [text, questions] of texts)
    for (const query of questions)
      if (!(await found(query)).includes(text)) missed.push(`${query}: ${text}`)
  assert.deepEqual(missed, [])
})

test('German compounds are found by their parts', async () => {
  const missed: string[] = []
  for (const [text, parts] of compounds)
    for (const query of parts)
      if (!(await found(query)).includes(text)) missed.push(`${query}: ${text}`)
  assert.deepEqual(missed, [])
  for (const query of ['Wagen', 'Ordnung', 'Ernte']) assert.deepEqual(await found(query), [], query)
})

test('English texts are not found by forms of other languages', async () => {
  const english =
    'The plan for the port of Porto is that we rate each note and form, and cast the part.'
  await createTask(english)
  for (const query of ['planen', 'planes', 'porta', 'porti', 'noten', 'formen', 'casta', 'parti'])
    assert.ok(!(await found(query)).includes(english), query)
  for (const query of ['plans', 'ports', 'rated', 'Porto'])
    assert.ok((await found(query)).includes(english), query)
})

test('a quoted phrase requires the exact words', async () => {
  assert.deepEqual(await found('"die Stromrechnung"'), [])
  assert.deepEqual(await found('"Die Stromrechnungen"'), [compounds[0]![0]])
})

test('inflected forms and compounds are highlighted and shown in a snippet', async () => {
  const filler = 'Hier steht nichts, und es ist auch nicht wichtig. '.repeat(20)
  const { ann } = workspace
  await ann.call('create_page', {
    title: 'Ablage',
    body_markdown: `${filler}Alle Wasserrechnungen und Quittungen sind bezahlt. ${filler}`,
  })
  for (const [query, word] of [
    ['Quittung', 'Quittungen'],
    ['Rechnung', 'Wasserrechnungen'],
    ['Wasser', 'Wasserrechnungen'],
  ] as const) {
    const { items } = await ann.call('search_workspace', { query, types: ['page'] })
    const { snippet, ranges } = items[0]
    const marked = ranges.map(([start, length]: [number, number]) =>
      snippet.slice(start, start + length),
    )
    assert.deepEqual(marked, [word], query)
  }
})

test('texts indexed by an earlier version are reindexed', async (t) => {
  const earlier = await makeWorkspace()
  t.after(() => earlier.close())
  const { app, ann } = earlier
  await ann.call('create_project', { name: 'Harbour', key: 'HAR' })
  for (const title of ['Alle Rechnungen sind da und nicht bezahlt', 'Budget meeting'])
    await ann.call('create_task', { project_id: 'HAR', title })
  const hits = async (query: string) =>
    (await ann.call('search_tasks', { query, mode: 'keyword' })).items.length
  const { write } = app.store.raw
  await app.store.writer.run(async () => {
    const replace = write.prepare(
      'insert or replace into search_fts (rowid, title, body, acl) values (?, ?, ?, ?)',
    )
    const rows = write.prepare('select * from search_docs').all() as Row<'search_docs'>[]
    for (const { rowid_, title, body, item_type, container } of rows)
      replace.run(rowid_, title, body, aclTokensOf(item_type, container))
    for (const number of ['053-', '055-'])
      write.exec(migrations().find(({ name }) => name.startsWith(number))!.sql)
  })
  assert.deepEqual([await hits('Rechnung'), await hits('meetings')], [0, 1])
  await runTicks(app)
  assert.deepEqual([await hits('Rechnung'), await hits('meetings')], [1, 1])
})
