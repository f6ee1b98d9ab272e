import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LeftOutCounter } from '../../../kernel/left-out.ts'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { cpuWatch } from '../../../testing/cost.ts'
import { parseVcards } from './vcards.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const contactOf = (who: Someone, email: string) =>
  who.call('get_contact', { contact_id: email, include: ['deals'] })

/** Uploads a file; returns its id. */
async function upload(name: string, bytes: Buffer): Promise<string> {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Files', key: 'FIL' }).catch(() => undefined)
  const task = await ann.call('create_task', { project_id: 'FIL', title: name })
  await ann.call('add_task_attachment', {
    task_id: task.id,
    name,
    content_base64: bytes.toString('base64'),
  })
  return workspace.app.store.raw.read
    .prepare('SELECT id FROM files WHERE name = ? ORDER BY id DESC')
    .pluck()
    .get(name) as string
}

test('a dry run shows the result for each column and record, with the lines of invalid ones', async () => {
  const { ann } = workspace
  await ann.call('create_contact', { name: 'Known', emails: ['known@dry.example'] })
  const content =
    'Full Name;E-Mail;Telefon;Firma;Lieblingsfarbe\n"Doe, ""JD"" Jane";jane@dry.example;030 901820;Acme;rot\nNew Name;known@dry.example;;;\n;;030 1234;;\n"Two\nlines";not an address;;;\nSame again;JANE@dry.example;;;\n'
  const dryRun = await ann.call('import_contacts', {
    content,
    mapping: { lieblingsfarbe: 'custom_fields.color' },
    dry_run: true,
  })
  assert.deepEqual(dryRun.columns, [
    { column: 'Full Name', field: 'name' },
    { column: 'E-Mail', field: 'emails' },
    { column: 'Telefon', field: 'phones' },
    { column: 'Firma', field: 'company' },
    { column: 'Lieblingsfarbe', field: 'custom_fields.color' },
  ])
  assert.deepEqual(
    [dryRun.delimiter, dryRun.records, dryRun.counts],
    [';', 5, { created: 2, updated: 2, unchanged: 0, skipped: 1 }],
  )
  assert.deepEqual(dryRun.skipped, [
    { line_or_path: 'line 4', reason: 'It has neither a name nor an email address.' },
  ])
  assert.deepEqual(
    dryRun.preview.map((item: any) => [item.line, item.action, item.name]),
    [
      [2, 'created', 'Doe, "JD" Jane'],
      [3, 'updated', 'New Name'],
      [5, 'created', 'Two lines'],
      [7, 'updated', 'Same again'],
    ],
  )
  assert.match(dryRun.warnings.join(), /Line 5: an invalid email address was skipped/)
  assert.equal(
    (await ann.refused('get_contact', { contact_id: 'jane@dry.example' })).code,
    'not_found',
  )
})

test('an import creates contacts, companies and labels, can be repeated without duplicates, and can be undone', async () => {
  const { ann } = workspace
  const key = await workspace.key(ann)
  const content =
    'first name,last name,email 1,email 2,mobile,company,website,tags,notes,Skype\nJane,Roe,jane@once.example,jr@home.example,+49 30 901820,Once Inc,https://once.example/about,"vip, fair",Hello,janeroe\n'
  const result = await ann.call('import_contacts', { content }, { key })
  assert.deepEqual(
    [result.counts.created, result.created.length, result.undo_call_id.slice(0, 4)],
    [1, 1, 'clg_'],
  )
  assert.match(result.warnings[0], /Not imported: "Skype"/)
  const jane = await contactOf(ann, 'jr@home.example')
  assert.deepEqual(
    [
      jane.name,
      jane.emails,
      jane.phones,
      jane.company.title,
      jane.labels.map((label: any) => label.title),
      jane.note,
    ],
    [
      'Jane Roe',
      ['jane@once.example', 'jr@home.example'],
      ['+4930901820'],
      'Once Inc',
      ['fair', 'vip'],
      'Hello',
    ],
  )
  assert.equal((await ann.call('get_company', { company_id: 'once.example' })).id, jane.company.id)
  assert.deepEqual((await ann.call('import_contacts', { content })).counts, {
    created: 0,
    updated: 0,
    unchanged: 1,
    skipped: 0,
  })
  assert.deepEqual((await ann.call('import_contacts', { content, on_match: 'skip' })).counts, {
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 1,
  })
  assert.equal((await ann.call('undo_api_call', { call_id: result.undo_call_id })).undone, true)
  assert.equal(
    (await ann.refused('get_contact', { contact_id: 'jane@once.example' })).code,
    'not_found',
  )
})

test('a quoted label name with a comma stays whole, also through an export', async () => {
  const { ann } = workspace
  await ann.call('import_contacts', {
    content:
      'name,email,tags\nQuoted,quoted@labels.example,"""Sales, EMEA""; fair;5"" disks, ""both; ways"""\n',
  })
  const labels = async () =>
    (await contactOf(ann, 'quoted@labels.example')).labels.map((label: any) => label.title)
  const names = ['5" disks', 'Sales, EMEA', 'both; ways', 'fair']
  assert.deepEqual((await labels()).sort(), names)
  const { inline } = await ann.call('export_contacts', { query: 'quoted@labels' })
  assert.deepEqual((await ann.call('import_contacts', { content: inline })).counts, {
    created: 0,
    updated: 0,
    unchanged: 1,
    skipped: 0,
  })
  assert.deepEqual((await labels()).sort(), names)
})

test('an update takes the values of the file, adds addresses, and keeps the rest', async () => {
  const { ann } = workspace
  await ann.call('create_contact', {
    name: 'Old',
    emails: ['upd@x.example'],
    title: 'Buyer',
    custom_fields: { keep: '1', color: 'red' },
  })
  const result = await ann.call('import_contacts', {
    content: 'name,email,custom\nNew,"upd@x.example; more@x.example",blue',
    mapping: { custom: 'custom_fields.color' },
  })
  assert.equal(result.counts.updated, 1)
  const updated = await contactOf(ann, 'more@x.example')
  assert.deepEqual(
    [updated.name, updated.title, updated.emails, updated.custom_fields],
    ['New', 'Buyer', ['upd@x.example', 'more@x.example'], { color: 'blue', keep: '1' }],
  )
})

test('files are read in their original encoding', async () => {
  const { ann } = workspace
  const text = (name: string, email: string) => `Name\tEmail\r\n${name}\t${email}\r\n`
  const utf16 = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(text('Łukasz Żak', 'l@utf16.example'), 'utf16le'),
  ])
  const files: [string, Buffer, string, string][] = [
    ['a.csv', utf16, 'utf-16le', 'Łukasz Żak'],
    [
      'b.csv',
      Buffer.from(text('Jörg Groß', 'j@latin.example'), 'latin1'),
      'windows-1252',
      'Jörg Groß',
    ],
    ['c.csv', Buffer.from(`\ufeff${text('李雷', 'l@utf8.example')}`), 'utf-8', '李雷'],
  ]
  for (const [name, bytes, encoding, who] of files) {
    const result = await ann.call('import_contacts', { file_id: await upload(name, bytes) })
    assert.deepEqual(
      [result.encoding, result.counts.created, result.created[0]?.title],
      [encoding, 1, who],
      name,
    )
  }
})

test('vCards 2.1, 3.0 and 4.0 are read, folded, quoted and grouped; a broken one is skipped with its line number', async () => {
  const { ann } = workspace
  const cards = [
    'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Müller;Jörg;;Dr.;\r\nFN:Jörg Müller\r\nORG:Karten GmbH;Einkauf\r\nTITLE:CTO\r\nEMAIL;type=HOME:jm@home.example\r\nitem1.EMAIL;TYPE=INTERNET,pref:j@karten.example\r\nitem1.X-ABLabel:work\r\nTEL;TYPE=CELL:+49 170 1234567\r\nNOTE:line one\\nline two\\, and a very long\r\n  folded line\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n BBBB\r\nCATEGORIES:kunde,messe\r\nEND:VCARD\r\n',
    'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Anna Ä\r\nTEL;VALUE=uri;TYPE="voice,home":tel:+1-212-555-2368;ext=55\r\nEMAIL;PREF=2:second@four.example\r\nEMAIL;PREF=1:first@four.example\r\nEND:VCARD\r\n',
    'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Gr=C3=BCn;J=C3=B6=\r\nrn;;;\r\nEMAIL;INTERNET:joern@two.example\r\nTEL;WORK;VOICE:(030) 901820\r\nEND:VCARD\r\n',
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:No end\r\n',
  ]
  const result = await ann.call('import_contacts', { content: cards.join('') })
  assert.deepEqual(
    [result.format, result.counts.created, result.skipped],
    ['vcard', 3, [{ line_or_path: 'line 31', reason: 'END:VCARD is missing.' }]],
  )
  const joerg = await contactOf(ann, 'j@karten.example')
  assert.deepEqual(
    [joerg.name, joerg.emails, joerg.phones, joerg.title, joerg.company.title, joerg.note],
    [
      'Jörg Müller',
      ['j@karten.example', 'jm@home.example'],
      ['+491701234567'],
      'CTO',
      'Karten GmbH',
      'line one\nline two, and a very long folded line',
    ],
  )
  assert.deepEqual(
    joerg.labels.map((label: any) => label.title),
    ['kunde', 'messe'],
  )
  const anna = await contactOf(ann, 'second@four.example')
  assert.deepEqual(
    [anna.emails, anna.phones],
    [['first@four.example', 'second@four.example'], ['+12125552368;ext=55']],
  )
  const joern = await contactOf(ann, 'joern@two.example')
  assert.deepEqual([joern.name, joern.phones], ['Jörn Grün', ['+4930901820']])
})

test('an unsupported file, or one without a column identifying people, is refused with a reason', async () => {
  const { ann } = workspace
  const refusalOf = async (args: Record<string, unknown>) =>
    (await ann.refused('import_contacts', args)).message
  assert.match(await refusalOf({}), /nothing to import/)
  assert.match(await refusalOf({ content: 'name,email\n' }), /contains no records/)
  assert.match(
    await refusalOf({ content: 'a,b\n1,2' }),
    /no column contains a name or an email address/,
  )
  assert.match(
    await refusalOf({ content: 'name\nx', mapping: { nome: 'name' } }),
    /no column is named "nome"/,
  )
  assert.match(
    await refusalOf({ content: 'name\nx', mapping: { name: 'nome' } }),
    /"nome" is not a field/,
  )
  assert.match(await refusalOf({ content: 'nothing', format: 'vcard' }), /contains no vCards/)
  assert.match(await refusalOf({ content: `name\n${'x\n'.repeat(50_001)}` }), /50000 at most/)
})

test('a large file is imported by a job in chunks that can each be undone; the file itself is not stored', async () => {
  const { ann, bob, clock } = workspace
  const rows = Array.from(
    { length: 900 },
    (_, i) => `Person ${i},p${i}@large.example,Large ${i % 7}`,
  )
  const started = await ann.call('import_contacts', {
    content: `name,email,company\n${rows.join('\n')}\nTwice,p1@large.example,`,
  })
  assert.deepEqual(
    [started.counts.created, started.records, started.job.job_id.slice(0, 4)],
    [0, 901, 'job_'],
  )
  await new Queue(workspace.app).drain()
  const job = await ann.call('get_job', { job_id: started.job.job_id })
  assert.equal(job.state, 'done', job.error)
  assert.deepEqual(
    [job.result.counts, job.result.undo_call_ids.length],
    [{ created: 900, updated: 1, unchanged: 0, skipped: 0 }, 5],
  )
  assert.equal((await contactOf(bob, 'p1@large.example')).name, 'Twice')
  assert.deepEqual(
    workspace.app.store.raw.read.prepare('SELECT content, done FROM contact_imports').all(),
    [{ content: null, done: 1000 }],
  )
  clock.pass(1000)
  const last = await ann.call('undo_api_call', { call_id: job.result.undo_call_ids[4] })
  assert.deepEqual([last.undone, last.refused], [true, []])
  assert.equal(
    (await bob.refused('get_contact', { contact_id: 'p899@large.example' })).code,
    'not_found',
  )
})

test('only a record that exceeds limits is skipped, and blank labels are ignored', async () => {
  const { ann } = workspace
  const columns = Array.from({ length: 9 }, (_, i) => `c${i}`)
  const mapping = Object.fromEntries(columns.map((name) => [name, `custom_fields.${name}`]))
  const content = `name,email,${columns.join()}\nFirst,first@much.example\nMuch,much@much.example,${columns.map(() => 'x'.repeat(4900)).join()}\nLast,last@much.example`
  for (const dry_run of [true, false]) {
    const done = await ann.call('import_contacts', { content, mapping, dry_run })
    assert.deepEqual(
      [done.counts, done.skipped[0].line_or_path],
      [{ created: 2, updated: 0, unchanged: 0, skipped: 1 }, 'line 3'],
    )
    assert.match(done.skipped[0].reason, /exceed 32 KiB/)
  }
  const manyLabels = Array.from({ length: 40 }, (_, i) => `many ${i}`)
  const done = await ann.call('import_contacts', {
    content: `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Labelled\r\nEMAIL:l@much.example\r\nCATEGORIES: ,,${manyLabels.join()}\r\nEND:VCARD\r\n`,
  })
  assert.deepEqual(
    [done.counts.created, done.warnings],
    [1, ['Line 1: only the first 20 labels were imported.']],
  )
  assert.equal((await contactOf(ann, 'l@much.example')).labels.length, 20)
})

test('a card crafted to be slow is read in linear time', () => {
  const card = (line: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\n${line}\r\nEND:VCARD\r\n`
  const spent = cpuWatch()
  for (const line of [
    `NOTE;QUOTED-PRINTABLE:${'a=\r\n'.repeat(50_000)}b`,
    `NOTE:${'a=\r\n'.repeat(50_000)}b`,
    `TEL${';a="x;"'.repeat(50_000)}:1`,
  ])
    parseVcards(card(line), new LeftOutCounter())
  assert.ok(spent() < 3000, `${spent()} ms`)
  assert.equal(
    parseVcards(card('NOTE;QUOTED-PRINTABLE:a=\r\n b=\r\nc\r\n folded=\r\n'), new LeftOutCounter())
      .raws[0]?.note,
    'a bcfolded',
  )
})

const importCompanies = async (content: string) => {
  const { ann } = workspace
  const done = await ann.call('import_contacts', { content })
  const { items } = await ann.call('list_contacts', { limit: 100 })
  return {
    done,
    items,
    companies: Object.fromEntries(items.map((item: any) => [item.name, item.company?.title])),
  }
}

test('pages on social networks, site builders or shops are not company domains', async () => {
  const { ann } = workspace
  const { done, companies, items } = await importCompanies(
    [
      'Name,Company,Website',
      'Adam,Adam Works,https://www.facebook.com/adam',
      'Beth,Beth Works,https://www.facebook.com/beth',
      'Cara,Cara Works,m.facebook.com/cara',
      'Dean,Dean Works,https://dean.wixsite.com/home',
      'Edna,Edna Works,http://www.amazon.co.uk/shops/edna',
      'Finn,Finn Works,https://maps.app.goo.gl/x1',
      'Gina,Gina Works,https://www.google.de/maps/place/Gina',
      'Hugo,Hugo Works,www.gmx.at',
      'Ines,Ines Works,https://play.google.com/store/apps/dev?id=7',
      'Jens,Jens Works,jens.github.io',
      'Kara,Kara Works,https://kara-works.example/about',
    ].join('\n'),
  )
  for (const name of 'Adam Beth Cara Dean Edna Finn Gina Hugo Ines Jens Kara'.split(' '))
    assert.equal(companies[name], `${name} Works`)
  assert.match(done.warnings[0], /Line 2: facebook\.com is an address of many companies/)
  assert.equal(done.warnings.length, 10)
  const listed = await ann.call('list_companies', { query: 'Works' })
  assert.deepEqual(
    listed.items.flatMap((item: any) => item.domain ?? []),
    ['kara-works.example'],
  )
  const { id } = items.find((item: any) => item.name === 'Beth')
  const beth = await ann.call('get_contact', { contact_id: id })
  assert.deepEqual(beth.custom_fields, { website: 'https://www.facebook.com/beth' })
})

test('an existing company with a shared domain does not absorb others, and its name takes precedence', async () => {
  const { ann } = workspace
  const old = await ann.call('create_company', { name: 'Elder' })
  const { write } = workspace.app.store.raw
  write.prepare('UPDATE companies SET domain = ? WHERE id = ?').run('instagram.com', old.id)
  await ann.call('create_company', { name: 'Holding', domain: 'holding.example' })
  await ann.call('create_company', { name: 'Daughter' })
  const { companies } = await importCompanies(
    [
      'Name,Company,Website',
      'Lena,Younger,https://instagram.com/younger',
      'Mara,Elder,https://instagram.com/elder',
      'Nils,Daughter,https://holding.example',
    ].join('\n'),
  )
  assert.deepEqual(
    [companies.Lena, companies.Mara, companies.Nils],
    ['Younger', 'Elder', 'Daughter'],
  )
})

test('operations also refuse shared domains, except for the company named after the domain', async () => {
  const { ann } = workspace
  for (const domain of ['https://www.etsy.com/shop/alpha', 'gmail.com', 'alpha.myshopify.com']) {
    const { code, message } = await ann.refused('create_company', { name: 'Alpha', domain })
    assert.equal(code, 'invalid_argument')
    assert.match(message, /^domain: .+ is an address of many companies/)
  }
  const github = await ann.call('create_company', { name: 'GitHub, Inc.', domain: 'github.com' })
  assert.equal(github.domain, 'github.com')
  const update = { company_id: github.id, domain: 'linktr.ee/github' }
  assert.match((await ann.refused('update_company', update)).message, /linktr\.ee is an address/)
  const unknown = { company_id: 'https://github.com/alpha' }
  assert.equal((await ann.refused('get_company', unknown)).code, 'not_found')
  const { write } = workspace.app.store.raw
  write.prepare('UPDATE companies SET domain = ? WHERE id = ?').run('gmail.com', github.id)
  const contact = await ann.call('create_contact', { name: 'Jo', emails: ['jo.mail@gmail.com'] })
  assert.equal(contact.company, undefined)
})

test('a header after a title, blank lines or a delimiter line is found', async () => {
  const { ann } = workspace
  const read = async (content: string) => {
    const dry = await ann.call('import_contacts', { content, dry_run: true })
    return [dry.delimiter, dry.preview.map((item: any) => [item.line, item.name, item.emails[0]])]
  }
  assert.deepEqual(await read('sep=;\nName;Email\nAda, B;ada@head.example\n'), [
    ';',
    [[3, 'Ada, B', 'ada@head.example']],
  ])
  const titled =
    'Contacts export of 3 March 2026,,\n\nName,Email,Company\nAda,ada@head.example,Engines\n'
  assert.deepEqual(await read(titled), [',', [[4, 'Ada', 'ada@head.example']]])
  const { warnings } = await ann.call('import_contacts', { content: titled, dry_run: true })
  assert.match(warnings[0], /header is line 3\. Not imported, above it: line 1 \(Contacts export/)
  assert.deepEqual(await read('Firma;Kunden GmbH\n\nName;E-Mail\nAda;ada@head.example\n'), [
    ';',
    [[4, 'Ada', 'ada@head.example']],
  ])
  const { message } = await ann.refused('import_contacts', { content: '\na,b\n1,2' })
  assert.match(message, /line 2 was read as the header/)
})

test('with two columns for one field, texts are joined and omitted values reported', async () => {
  const { ann } = workspace
  const content =
    'Name,Email,Notes,Description,Job Title,Position,Color,Colour\nTwo,two@two.example,Met,Tall,Buyer,Lead,red,blue\nOne,one@two.example,,Short,Buyer,Buyer,,green\n'
  const mapping = { color: 'custom_fields.color', colour: 'custom_fields.color' }
  const done = await ann.call('import_contacts', { content, mapping })
  assert.deepEqual(done.warnings, [
    'Left out: column "Position" where "Job Title" fills the field title (line 2).',
  ])
  const read = async (email: string) => {
    const { note, title, custom_fields } = await contactOf(ann, email)
    return [note, title, custom_fields.color]
  }
  assert.deepEqual(await read('two@two.example'), [
    'Met\n\nDescription: Tall',
    'Buyer',
    'red\n\nColour: blue',
  ])
  assert.deepEqual(await read('one@two.example'), ['Short', 'Buyer', 'green'])
})

test('an import counts omitted parts by kind, with the first three lines', async () => {
  const { ann } = workspace
  const rows = [1, 2, 3, 4].map((n) => `Left ${n},left${n}@out.example,skype${n}`)
  const csv = await ann.call('import_contacts', {
    content: `Name,Email,Skype\n${rows.join('\n')}\n,,nobody\n`,
  })
  assert.deepEqual(csv.left_out, [
    { what: 'column "Skype"', count: 5, lines: ['line 2', 'line 3', 'line 4'] },
    { what: 'It has neither a name nor an email address.', count: 1, lines: ['line 6'] },
  ])
  const cards =
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Card\r\nEMAIL:card@out.example\r\nORG:Engines;Steam\r\nTITLE:Head\r\nTITLE:Chair\r\nADR:;;Street 1;Town;;;\r\nPHOTO;ENCODING=b:AAAA\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:No end\r\n'
  const vcard = await ann.call('import_contacts', { content: cards })
  assert.deepEqual(vcard.left_out, [
    { what: 'property ADR of vCards', count: 1, lines: ['line 1'] },
    { what: 'property PHOTO of vCards', count: 1, lines: ['line 1'] },
    { what: 'second TITLE of a vCard', count: 1, lines: ['line 1'] },
    { what: 'department in ORG of vCards', count: 1, lines: ['line 1'] },
    { what: 'END:VCARD is missing.', count: 1, lines: ['line 11'] },
  ])
})

test('a card of a company becomes a company, and one of a place or a group is skipped with the reason', async () => {
  const { ann } = workspace
  const card = (...lines: string[]) => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`
  const content = [
    card(
      'VERSION:4.0',
      'KIND:org',
      'FN:Kind Engines',
      'ORG:Kind Engines',
      'EMAIL:office@kind-engines.example',
      'TEL:+49 30 901820',
      'NOTE:Steam',
    ),
    card(
      'VERSION:3.0',
      'FN:Apple Bakery',
      'N:;;;;',
      'ORG:Apple Bakery;',
      'X-ABShowAs:COMPANY',
      'URL:https://www.facebook.com/apple-bakery',
    ),
    card('VERSION:4.0', 'KIND:location', 'FN:Meeting room'),
    card('VERSION:4.0', 'KIND:group', 'FN:The family', 'MEMBER:urn:uuid:1'),
    card('VERSION:3.0', 'FN:Old group', 'X-ADDRESSBOOKSERVER-KIND:group'),
    card('VERSION:4.0', 'KIND:individual', 'FN:Kim Kind', 'EMAIL:kim@kind-engines.example'),
  ].join('')
  const dry = await ann.call('import_contacts', { content, dry_run: true })
  assert.deepEqual(dry.counts, { created: 3, updated: 0, unchanged: 0, skipped: 3 })
  const done = await ann.call('import_contacts', { content })
  assert.deepEqual(
    done.created.map((item: any) => [item.type, item.title]),
    [
      ['company', 'Kind Engines'],
      ['company', 'Apple Bakery'],
      ['contact', 'Kim Kind'],
    ],
  )
  assert.deepEqual(
    done.skipped.map((item: any) => item.reason),
    [
      'It is a place (KIND:location), not a person or a company.',
      'It is a group (KIND:group), not a person or a company.',
      'It is a group (KIND:group), not a person or a company.',
    ],
  )
  const engines = await ann.call('get_company', { company_id: 'kind-engines.example' })
  assert.deepEqual(
    [engines.name, engines.custom_fields],
    ['Kind Engines', { email: 'office@kind-engines.example', phone: '+4930901820' }],
  )
  assert.equal((await contactOf(ann, 'kim@kind-engines.example')).company.title, 'Kind Engines')
  const bakery = await ann.call('get_company', { company_id: 'Apple Bakery' })
  assert.deepEqual(
    [bakery.domain, bakery.custom_fields],
    [undefined, { website: 'https://www.facebook.com/apple-bakery' }],
  )
  const again = await ann.call('import_contacts', { content })
  assert.deepEqual(again.counts, { created: 0, updated: 0, unchanged: 3, skipped: 3 })
})
