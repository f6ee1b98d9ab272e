import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexText } from '../scripts/index-text.ts'
import { StemSet } from './stem-set.ts'
import { rangesOf } from '../text.ts'
import { compoundPartsOf } from './compounds.ts'
import { stemIn } from './endings.ts'
import { formsOf, indexForms, indexLanguage } from './forms.ts'
import { languageOf } from './language.ts'

test('the language of a text is detected by its frequent words and letters', () => {
  const texts: [title: string, body: string, language: string | undefined][] = [
    ['', 'Die Rechnung ist noch nicht da, und der Vertrag fehlt auch.', 'de'],
    ['Büro für Müller', '', 'de'],
    ['', 'La facture est dans le dossier du client.', 'fr'],
    ['¿Dónde está la reunión?', '', 'es'],
    ['', 'Il contratto non è ancora firmato, ma la fattura c’è.', 'it'],
    ['', 'A reunião não foi marcada para o mês de maio.', 'pt'],
    ['', 'De rekening is nog niet betaald door het bedrijf.', 'nl'],
    ['', 'Räkningen är inte betald och kunden vill ha ett möte.', 'sv'],
    ['Budget meeting', 'The plan is in the folder that you shared with us.', 'en'],
    ['Müller', 'The account of Müller is the one that we have to close with them this week.', 'en'],
    ['Stromrechnungen bezahlen', '', 'de'],
    ['Hausverwaltung anrufen', '', 'de'],
    ['Facturaciones pendientes', '', 'es'],
    ['Istruzioni per Marco', '', 'it'],
    ['Verplaatsing van werkzaamheden', '', 'nl'],
    ['Samsung, Hartung and Young', '', undefined],
    ['Mietvertrag', '', undefined],
    ['', '', undefined],
  ]
  for (const [title, body, language] of texts) assert.equal(languageOf(title, body), language, body)
})

test('letters in ids and addresses do not count as words of a language', () => {
  for (const text of [
    'Budget 9la2le tsk_01m7le4la6des88ekvwq16s42nn',
    'Sender anna@firma.de, bert@una.de',
    'https://firma.de/der/die/das and www.firma.de',
  ])
    assert.equal(languageOf('', text), undefined, text)
})

test('English texts and those of unknown language are indexed verbatim', () => {
  for (const text of [
    'The invoice of the company in Los Angeles that we have not paid.',
    'Call Porto',
    'Die Zeit: the newspaper that we read with them',
  ])
    assert.equal(indexText(text, indexLanguage('', text)), text)
})

test('forms are kept apart from words and from forms of other languages', () => {
  const [german = ''] = indexForms('rechnungen', 'de')
  assert.ok(formsOf('rechnung').includes(german))
  assert.ok(!indexForms('rechnungen', 'nl').includes(german))
  assert.ok(!german.startsWith('rechnung'))
  assert.deepEqual(indexForms('rechnungen', 'none'), [])
  assert.deepEqual(formsOf('договор'), indexForms('договоры', 'none'))
})

test('a string that cannot be a word of a language has no stem in that language', () => {
  for (const word of ['2026', 'a1b2', 'ab', 'x'.repeat(41), 'ελλαδα', 'договор'])
    assert.equal(stemIn('de', word), undefined, word)
  assert.equal(stemIn('ru', 'vertrag'), undefined)
})

test('a German word is split only at valid part boundaries, not at prefixes and endings', () => {
  for (const [word, part] of [
    ['stromrechnungen', 'rechnungen'],
    ['mietvertrag', 'vertrag'],
    ['rechnungsadresse', 'rechnung'],
    ['sitzungsprotokoll', 'protokoll'],
    ['haftpflichtversicherung', 'versicherung'],
    ['kraftfahrzeugversicherung', 'fahrzeug'],
  ] as const)
    assert.ok(compoundPartsOf(word).includes(part), `${part} in ${compoundPartsOf(word).join()}`)
  for (const word of ['entscheidung', 'wirtschaft', 'unternehmen', 'informationen', 'verordnung'])
    assert.deepEqual(compoundPartsOf(word), [], word)
  assert.ok(compoundPartsOf('donaudampfschifffahrtsgesellschaftskapitan').length <= 12)
})

test('a very long run of letters has no forms, and is processed quickly', () => {
  const run = 'stromrechnung'.repeat(400_000)
  for (const language of ['de', 'any'] as const) assert.deepEqual(indexForms(run, language), [])
  assert.equal(rangesOf(`${run} Rechnungen`, new StemSet(['rechnung'])).length, 1)
})

test('only the first 200,000 words of a very long text have forms', () => {
  const text = `Die Rechnungen sind nicht da. ${'und '.repeat(200_000)} Quittungen`
  const indexed = indexText(text, indexLanguage('', text)).split(' ')
  for (const form of indexForms('rechnungen', 'de')) assert.ok(indexed.includes(form))
  for (const form of indexForms('quittungen', 'de')) assert.ok(!indexed.includes(form))
})
