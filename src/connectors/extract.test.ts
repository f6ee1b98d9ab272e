import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { docxOf, pdfFrom, pdfOf, pptxOf, xlsxOf } from '../testing/documents.ts'
import { extractText } from './extract.ts'

test('text is extracted from a PDF page by page', async () => {
  const extracted = await extractText(
    pdfOf(['Offer 17', 'Price: 300 (net)'], ['Page two']),
    'application/pdf',
    'offer.pdf',
  )
  assert.deepEqual(
    [extracted.kind, extracted.pages, extracted.text, extracted.warnings],
    ['native', 2, 'Offer 17\nPrice: 300 (net)\n\nPage two', []],
  )
})

test('a PDF is recognized by its content, whatever its name', async () => {
  assert.equal(
    (await extractText(pdfOf(['Inside']), 'application/octet-stream', 'file.bin')).text,
    'Inside',
  )
  assert.equal((await extractText(Buffer.from('no pdf'), 'application/pdf', 'a.pdf')).kind, 'none')
})

test('headings, tables and lists of a Word document are preserved', async () => {
  const p = (text: string, style = '') =>
    `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`
  const cell = (text: string) => `<w:tc>${p(text)}</w:tc>`
  const extracted = await extractText(
    docxOf(
      `${p('Offer', 'Heading1')}${p('For Ann &amp; Bob')}<w:tbl><w:tr>${cell('Item')}${cell('Price')}</w:tr><w:tr>${cell('Tea')}${cell('3')}</w:tr></w:tbl>`,
      {
        'word/styles.xml': strToU8(
          '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
        ),
      },
    ),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'offer.docx',
  )
  assert.deepEqual([extracted.kind, extracted.format], ['native', 'markdown'])
  assert.match(
    extracted.text,
    /^# Offer\n\nFor Ann & Bob\n\n\| Item \| Price \|\n\| -+ \| -+ \|\n\| Tea +\| 3 +\|$/,
  )
})

test('each sheet of a workbook is read, with cells separated by tabs', async () => {
  const extracted = await extractText(
    xlsxOf({
      Sales: [
        ['Month', 'Sum'],
        ['May', 300],
      ],
      Empty: [],
      Notes: [['hello']],
    }),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'a.xlsx',
  )
  assert.deepEqual([extracted.kind, extracted.pages], ['native', 3])
  assert.match(extracted.text, /# Sales\n\nMonth\tSum\nMay\t300\n/)
  assert.match(extracted.text, /# Notes\n\nhello/)
})

test('slides, OpenDocument, HTML, mail and plain text are read', async () => {
  const text = async (bytes: Uint8Array, name: string, mime = 'application/octet-stream') =>
    (await extractText(bytes, mime, name)).text
  assert.equal(
    await text(pptxOf(['Plan', 'Tea &amp; more'], ['End']), 'a.pptx'),
    '# 1\nPlan\nTea & more\n\n# 2\nEnd',
  )
  assert.equal(
    await text(
      zipSync({
        'content.xml': strToU8(
          '<office:document-content><office:body><text:h>Title</text:h><text:p>One<text:tab/>two &lt;3</text:p></office:body></office:document-content>',
        ),
      }),
      'a.odt',
    ),
    'Title\nOne two <3',
  )
  assert.equal(
    await text(Buffer.from('<h1>Hi</h1><p style="display:none">hidden</p><p>Text</p>'), 'a.html'),
    '# Hi\n\nText',
  )
  assert.match(
    await text(Buffer.from('From: a@b.example\r\nSubject: S\r\n\r\nBody'), 'a.eml'),
    /^From: a@b\.example\nSubject: S\n\nBody$/,
  )
  assert.equal(await text(Buffer.from('a;b\r\nü;2'), 'a.csv'), 'a;b\nü;2')
  assert.equal(await text(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'a.txt', 'text/plain'), 'Grüße')
  assert.equal(await text(Buffer.from('\ufeffwide', 'utf16le'), 'a.txt', 'text/plain'), 'wide')
})

test('a file without text gives the reason', async () => {
  const why = async (bytes: Uint8Array, name: string, mime = '') => {
    const extracted = await extractText(bytes, mime, name)
    assert.deepEqual([extracted.kind, extracted.text], ['none', ''])
    return extracted.warnings.join(' ')
  }
  assert.match(
    await why(new Uint8Array([1, 2]), 'a.bin', 'application/x-thing'),
    /files of this type/,
  )
  assert.match(await why(pdfOf([]), 'scan.pdf'), /It contains no text/)
  assert.match(await why(Buffer.from('%PDF-1.4 broken'), 'a.pdf'), /could not be read/)
  assert.match(await why(zipSync({ 'a.txt': strToU8('x') }), 'a.docx'), /not a Word document/)
  assert.match(await why(Buffer.from('a\0b'), 'a.txt'), /It is not text/)
  assert.match(await why(new Uint8Array(10), 'a.txt', 'text/plain'), /It is not text/)
  assert.match(await why(protectedPdf(), 'locked.pdf'), /password-protected/)
})

test('long texts are truncated with a notice', async () => {
  const extracted = await extractText(Buffer.from('word '.repeat(10_000)), 'text/plain', 'a.txt', {
    characters: 1_000,
  })
  assert.equal(extracted.text.length, 1_000)
  assert.match(extracted.warnings[0]!, /49999 characters, of which the first 1000/)
  assert.equal(extracted.cut, true)
  assert.match(
    (await extractText(new Uint8Array(2_000), 'text/plain', 'a.txt', { bytes: 1_000 }))
      .warnings[0]!,
    /larger than/,
  )
})

/** PDF as if encrypted by RC4 with an unknown password. */
function protectedPdf(): Uint8Array {
  return pdfFrom(
    [
      Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
      Buffer.from('<< /Type /Pages /Kids [] /Count 0 >>'),
      Buffer.from(
        `<< /Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -4 >>`,
      ),
    ],
    `/Encrypt 3 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`,
  )
}

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`

test('comments of a Word document are in its text, with their authors', async () => {
  const comments = strToU8(
    '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
      `<w:comment w:id="0" w:author="Ann &amp; Co" w:initials="A"><w:p>${run('Liability must be ')}${run('capped.')}</w:p><w:p>${run('Ask legal.')}</w:p></w:comment>` +
      `<w:comment w:id="1" w:author="Bob"><w:p></w:p></w:comment><w:comment w:id="2"><w:p>${run('No author')}</w:p></w:comment></w:comments>`,
  )
  const { text, format } = await extractText(
    docxOf(`<w:p>${run('The contract.')}</w:p>`, { 'word/comments.xml': comments }),
    wordType,
    'a.docx',
  )
  assert.equal(format, 'markdown')
  assert.equal(
    text,
    'The contract.\n\n## Comments\n\n- Ann & Co: Liability must be capped. Ask legal.\n- No author',
  )
})

test('formulas of a Word document are in its text, on one line', async () => {
  const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  const e = (text: string, name = 'e') => `<m:${name}>${text}</m:${name}>`
  const formulas: [string, string][] = [
    [`<m:f>${e(r('a+b'), 'num')}${e(r('2'), 'den')}</m:f>`, '(a+b)/2'],
    [
      `<m:sSup>${e(r('x'))}${e(r('2'), 'sup')}</m:sSup><m:sSub>${e(r('y'))}${e(r('i+1'), 'sub')}</m:sSub>`,
      'x^2y_(i+1)',
    ],
    [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(r('x+1'))}</m:rad>`, '√(x+1)'],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${e(r('i=1'), 'sub')}${e(r('n'), 'sup')}${e(r('i'))}</m:nary>`,
      '∑_(i=1)^n i',
    ],
    [
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/><m:sepChr m:val=","/></m:dPr>${e(r('0'))}${e(r('1'))}</m:d>`,
      '[0,1]',
    ],
    [`<m:func>${e(r('sin'), 'fName')}${e(r('x'))}</m:func>`, 'sin x'],
    [
      `<m:m><m:mr>${e(r('1'))}${e(r('0'))}</m:mr><m:mr>${e(r('0'))}${e(r('1'))}</m:mr></m:m>`,
      '[1, 0; 0, 1]',
    ],
    [r('a &lt; b'), 'a < b'],
  ]
  const xmlns = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
  for (const [inside, expected] of formulas) {
    for (const wrapped of [
      `<m:oMath ${xmlns}>${inside}</m:oMath>`,
      `<m:oMathPara ${xmlns}><m:oMath>${inside}</m:oMath></m:oMathPara>`,
    ]) {
      const { text } = await extractText(
        docxOf(`<w:p>${run('Given')}${wrapped}${run('holds.')}</w:p>`),
        wordType,
        'a.docx',
      )
      assert.equal(text.replaceAll('\\', ''), `Given ${expected} holds.`)
    }
  }
  const deep = `${'<m:e>'.repeat(5_000)}${r('deep')}${'</m:e>'.repeat(5_000)}`
  assert.match(
    (
      await extractText(
        docxOf(`<w:p><m:oMath ${xmlns}>${deep}</m:oMath></w:p>`),
        wordType,
        'a.docx',
      )
    ).text,
    /deep/,
  )
})

test('values of PDF form fields are in its text', async () => {
  const widget = (rest: string) =>
    `<< /Type /Annot /Subtype /Widget /Rect [0 0 50 20] /P 3 0 R ${rest} >>`
  const pdf = pdfFrom(
    [
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R 6 0 R 7 0 R 8 0 R] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [4 0 R 5 0 R 6 0 R 7 0 R 8 0 R] >>',
      widget('/FT /Tx /T (applicant) /TU (Name of applicant) /V (Mia Berg)'),
      widget('/FT /Ch /Ff 131072 /T (country) /Opt [[(de) (Germany)] [(fr) (France)]] /V (fr)'),
      widget('/FT /Btn /T (agree) /V /Yes /AS /Yes /AP << /N << /Yes null /Off null >> >>'),
      widget('/FT /Tx /T (empty)'),
      widget('/FT /Tx /Ff 8192 /T (pin) /V (4711)'),
    ].map((name) => Buffer.from(name)),
  )
  const { kind, text } = await extractText(pdf, 'application/pdf', 'form.pdf')
  assert.equal(kind, 'native')
  assert.deepEqual(text.split('\n'), [
    'Name of applicant: Mia Berg',
    'country: France',
    'agree: Yes',
  ])
})

test('a scan, an image and an old Office file are named as such', async () => {
  const why = async (bytes: Uint8Array, mime: string, name: string) =>
    (await extractText(bytes, mime, name)).warnings.join(' ')
  const scan = pdfFrom(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /I 4 0 R >> >> >>',
      '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n0\nendstream',
    ].map((name) => Buffer.from(name)),
  )
  assert.equal(
    await why(scan, 'application/pdf', 'scan.pdf'),
    'It is a scanned image without text.',
  )
  assert.equal(
    await why(new Uint8Array([1]), 'image/jpeg', 'a.jpg'),
    'It is an image without text.',
  )
  const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  assert.match(
    await why(ole, 'application/msword', 'a.doc'),
    /^Old Word files .* are not supported\. Save it as \.docx or PDF\.$/,
  )
  assert.match(await why(ole, wordType, 'a.docx'), /^Old Word files/)
  assert.match(await why(ole, 'application/vnd.ms-excel', 'a.xls'), /^Old Excel files/)
  assert.match(
    await why(Buffer.from('{\\rtf1}'), 'application/rtf', 'a.rtf'),
    /^RTF files are not supported/,
  )
})
