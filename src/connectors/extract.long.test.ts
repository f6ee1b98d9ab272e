import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { docxOf, pdfFrom, pdfOf } from '../testing/documents.ts'
import { extractText } from './extract.ts'
import { withLinearMath } from './word-math.ts'

/** A page whose content unpacks to this many megabytes. */
function pdfBomb(megabytes: number): Uint8Array {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' '), { level: 1 })
  const content = Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
  return pdfFrom([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>'),
    content,
  ])
}

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`

test('files crafted to exhaust memory or time are abandoned within limits, and the next file is read', async () => {
  const zeros = (megabytes: number) => new Uint8Array(megabytes * 1024 * 1024)
  const bombs: [string, Uint8Array][] = [
    ['a.docx', docxOf('', { 'word/styles.xml': zeros(60) })],
    ['a.xlsx', zipSync({ 'xl/workbook.xml': zeros(100) })],
    [
      'a.pptx',
      zipSync(
        Object.fromEntries(
          Array.from({ length: 6_000 }, (_, i) => [`ppt/slides/slide${i}.xml`, new Uint8Array()]),
        ),
      ),
    ],
    ['a.docx', docxOf('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000))],
    ['a.pdf', pdfBomb(1_000)],
  ]
  for (const [name, bytes] of bombs) {
    const before = process.memoryUsage().rss
    const extracted = await extractText(bytes, '', name, { milliseconds: 10_000 })
    assert.equal(extracted.kind, 'none', name)
    assert.ok(
      process.memoryUsage().rss - before < 1_200_000_000,
      `${name} took ${(process.memoryUsage().rss - before) / 1e6} MB`,
    )
  }
  assert.equal(
    (await extractText(pdfOf(['Still here']), 'application/pdf', 'a.pdf')).text,
    'Still here',
  )
})

test('XML with thousands of unclosed tags is read within the time limit', async () => {
  const [unclosed, unended] = ['<m:oMathParaPr>'.repeat(150_000), '<m:oMathPara '.repeat(150_000)]
  const inFormula = `<m:oMath>${'<m:t '.repeat(150_000)}${'x'.repeat(150_000)}</m:oMath>`
  for (const hostile of [
    unclosed,
    unended,
    '<m:oMath '.repeat(150_000),
    `<${'m'.repeat(300_000)}`,
    inFormula,
  ]) {
    const body = `<w:p>${run('Before')}<!-- <m:oMath> ${hostile} < --></w:p><w:p>${run('after')}</w:p>`
    const extracted = await extractText(docxOf(body), wordType, 'a.docx', { milliseconds: 5_000 })
    assert.deepEqual(
      [extracted.text, extracted.warnings],
      ['Before\n\nafter', []],
      hostile.slice(0, 40),
    )
  }
  const properties = '<m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr>'
  assert.equal(withLinearMath(`a${properties}b<m:oMathParaPr>c`), 'ab<m:oMathParaPr>c')
  const slide = strToU8(`<a:p><a:t>On the slide</a:t></a:p>${'<a:p>'.repeat(300_000)}`)
  const slides = zipSync({ 'ppt/slides/slide1.xml': slide })
  const { text } = await extractText(slides, '', 'a.pptx', { milliseconds: 5_000 })
  assert.equal(text, '# 1\nOn the slide')
})
