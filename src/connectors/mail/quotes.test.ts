import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBody } from '../mail-parser.ts'

/** A message as its program writes it, and the author's own text; `signature`: words found only in the signature. */
interface QuoteCase {
  label: string
  plain?: string
  html?: string
  subject?: string
  ownText: string
  signature?: string
}

const messages: QuoteCase[] = [
  {
    label: 'Gmail, plain, English',
    plain:
      'Yes, Tuesday works.\n\nOn Mon, May 4, 2026 at 9:00 AM Ann Lee <ann@me.example> wrote:\n\n> Does Tuesday work?\n>\n> Ann\n',
    ownText: 'Yes, Tuesday works.',
  },
  {
    label: 'Gmail, attribution over two lines',
    plain:
      'Fine with me.\n\nOn Mon, May 4, 2026 at 9:00 AM Ann Lee with a very long name <\nann@me.example> wrote:\n\n> Does Tuesday work?\n',
    ownText: 'Fine with me.',
  },
  {
    label: 'Gmail, HTML',
    html: '<div dir="ltr">Yes, <b>Tuesday</b> works.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, May 4, 2026 at 9:00 AM Ann &lt;ann@me.example&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>Does it?</div></blockquote></div>',
    ownText: 'Yes, **Tuesday** works.',
  },
  {
    label: 'Apple Mail, HTML',
    html: '<body><div>Sounds good.</div><div><br><blockquote type="cite"><div>On 4 May 2026, at 09:00, Ann &lt;ann@me.example&gt; wrote:</div><br><div>Shall we?</div></blockquote></div></body>',
    ownText: 'Sounds good.',
  },
  {
    label: 'Thunderbird, HTML',
    html: '<p>Ja, gerne.</p><div class="moz-cite-prefix">Am 04.05.26 um 09:00 schrieb Ann:<br></div><blockquote type="cite" cite="mid:x"><p>Passt das?</p></blockquote>',
    ownText: 'Ja, gerne.',
  },
  {
    label: 'Thunderbird, plain, German',
    plain: 'Ja, gerne.\n\nAm 04.05.26 um 09:00 schrieb Ann Lee:\n> Passt das?\n> Grüße\n',
    ownText: 'Ja, gerne.',
  },
  {
    label: 'Outlook, plain, English',
    plain:
      'Please see attached.\n\n________________________________\nFrom: Ann Lee <ann@me.example>\nSent: Monday, May 4, 2026 9:00 AM\nTo: Bob <bob@out.example>\nSubject: Offer\n\nCan you send the offer?\n',
    ownText: 'Please see attached.',
  },
  {
    label: 'Outlook, plain, German',
    plain:
      'Anbei das Angebot.\n\nVon: Ann Lee <ann@me.example>\nGesendet: Montag, 4. Mai 2026 09:00\nAn: Bob\nBetreff: Angebot\n\nKannst du das Angebot schicken?\n',
    ownText: 'Anbei das Angebot.',
  },
  {
    label: 'Outlook, plain, French',
    plain:
      'Bien reçu, merci.\n\nDe : Ann Lee <ann@me.example>\nEnvoyé : lundi 4 mai 2026 09:00\nÀ : Bob\nObjet : Offre\n\nVoici le fichier.\n',
    ownText: 'Bien reçu, merci.',
  },
  {
    label: 'Outlook, plain, Spanish',
    plain:
      'Recibido.\n\nDe: Ann Lee <ann@me.example>\nEnviado el: lunes, 4 de mayo de 2026 9:00\nPara: Bob\nAsunto: Oferta\n\nAquí está.\n',
    ownText: 'Recibido.',
  },
  {
    label: 'Outlook on Windows, HTML',
    html: '<div class="WordSection1"><p class="MsoNormal">Please see attached.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal"><b>From:</b> Ann Lee &lt;ann@me.example&gt; <br><b>Sent:</b> Monday, May 4, 2026 9:00 AM<br><b>To:</b> Bob<br><b>Subject:</b> Offer</p></div></div><p class="MsoNormal">Can you send it?</p></div>',
    ownText: 'Please see attached.',
  },
  {
    label: 'Outlook on the web, HTML',
    html: '<div>Will do.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ann<br><b>Sent:</b> Monday<br><b>Subject:</b> Offer</div><div>Please do it.</div>',
    ownText: 'Will do.',
  },
  {
    label: 'Outlook, old, English',
    plain:
      'OK.\n\n-----Original Message-----\nFrom: Ann [mailto:ann@me.example]\nSent: Monday\nTo: Bob\nSubject: x\n\nOK?\n',
    ownText: 'OK.',
  },
  {
    label: 'Outlook, old, German',
    plain:
      'Erledigt.\n\n-----Ursprüngliche Nachricht-----\nVon: Ann\nGesendet: Montag\n\nBitte erledigen.\n',
    ownText: 'Erledigt.',
  },
  {
    label: 'Gmail, French',
    plain:
      "D'accord.\n\nLe lun. 4 mai 2026 à 09:00, Ann Lee <ann@me.example> a écrit :\n\n> On y va ?\n",
    ownText: "D'accord.",
  },
  {
    label: 'Gmail, Spanish',
    plain:
      'De acuerdo.\n\nEl lun, 4 may 2026 a las 9:00, Ann Lee (<ann@me.example>) escribió:\n\n> ¿Vamos?\n',
    ownText: 'De acuerdo.',
  },
  {
    label: 'Gmail, Italian',
    plain:
      'Va bene.\n\nIl giorno lun 4 mag 2026 alle ore 09:00 Ann Lee <ann@me.example> ha scritto:\n\n> Andiamo?\n',
    ownText: 'Va bene.',
  },
  {
    label: 'Gmail, Portuguese',
    plain:
      'Combinado.\n\nEm seg., 4 de mai. de 2026 às 09:00, Ann Lee <ann@me.example> escreveu:\n\n> Vamos?\n',
    ownText: 'Combinado.',
  },
  {
    label: 'Gmail, Dutch',
    plain: 'Prima.\n\nOp ma 4 mei 2026 om 09:00 schreef Ann Lee <ann@me.example>:\n\n> Gaan we?\n',
    ownText: 'Prima.',
  },
  {
    label: 'Gmail, Swedish',
    plain: 'Visst.\n\nDen mån 4 maj 2026 kl 09:00 skrev Ann Lee <ann@me.example>:\n\n> Ska vi?\n',
    ownText: 'Visst.',
  },
  {
    label: 'Gmail, Polish',
    plain:
      'Dobrze.\n\nW dniu pon., 4 maj 2026 o 09:00 Ann Lee <ann@me.example> napisał(a):\n\n> Idziemy?\n',
    ownText: 'Dobrze.',
  },
  {
    label: 'Gmail, Russian',
    plain: 'Хорошо.\n\nпн, 4 мая 2026 г. в 09:00, Ann Lee <ann@me.example>:\n\n> Идём?\n',
    ownText: 'Хорошо.',
  },
  {
    label: 'an answer without signs of quotation',
    plain:
      'Thanks!\n\nOn 4 May 2026 at 09:00 Ann <ann@me.example> wrote:\n\nHere is the file.\nAnn\n',
    ownText: 'Thanks!',
  },
  {
    label: 'an answer below',
    plain: 'On Mon, May 4, 2026 at 9:00 AM Ann wrote:\n> Does it work?\n\nIt does.\n',
    ownText: 'It does.',
  },
  {
    label: 'answers in between',
    plain:
      'On Mon, May 4, 2026 at 9:00 AM Ann wrote:\n> Which day?\nTuesday.\n> Which room?\nThe blue one.\n',
    ownText:
      'On Mon, May 4, 2026 at 9:00 AM Ann wrote:\n> Which day?\n\nTuesday.\n\n> Which room?\n\nThe blue one.',
  },
  {
    label: 'a forwarded message, Gmail',
    subject: 'Fwd: Offer',
    plain:
      'For you.\n\n---------- Forwarded message ---------\nFrom: Ann <ann@me.example>\nDate: Mon, May 4, 2026\nSubject: Offer\nTo: Bob\n\nThe offer is 300.\n',
    ownText:
      'For you.\n\n---------- Forwarded message ---------\nFrom: Ann <ann@me.example>\nDate: Mon, May 4, 2026\nSubject: Offer\nTo: Bob\n\nThe offer is 300.',
  },
  {
    label: 'a forwarded message, Outlook in German',
    subject: 'WG: Angebot',
    plain:
      'Zur Kenntnis.\n\nVon: Ann\nGesendet: Montag\nAn: Bob\nBetreff: Angebot\n\nDas Angebot ist 300.\n',
    ownText:
      'Zur Kenntnis.\n\nVon: Ann\nGesendet: Montag\nAn: Bob\nBetreff: Angebot\n\nDas Angebot ist 300.',
  },
  {
    label: 'a signature below two dashes',
    plain: 'See you there.\n\n-- \nBob Out\nOut Ltd\n+44 20 7946 0000\n',
    ownText: 'See you there.',
    signature: 'Out Ltd',
  },
  {
    label: 'a signature and a quotation',
    plain:
      'See you there.\n\n-- \nBob Out\n\nOn Mon, May 4, 2026 at 9:00 AM Ann wrote:\n> Coming?\n',
    ownText: 'See you there.',
    signature: 'Bob Out',
  },
  {
    label: 'a telephone',
    plain: 'On my way.\n\nSent from my iPhone\n',
    ownText: 'On my way.',
    signature: 'iPhone',
  },
  {
    label: 'a footer of a phone, German, with a quotation',
    plain:
      'Bin unterwegs.\n\nVon meinem iPhone gesendet\n\n> Am 04.05.2026 um 09:00 schrieb Ann <ann@me.example>:\n> \n> Kommst du?\n',
    ownText: 'Bin unterwegs.',
    signature: 'iPhone',
  },
  {
    label: 'Outlook on a telephone',
    html: '<div>Agreed.</div><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/x">Outlook for iOS</a></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ann</div><div>Do you agree?</div>',
    ownText: 'Agreed.',
    signature: 'Outlook for iOS',
  },
  {
    label: 'contact details of the author',
    plain:
      'The report is ready.\n\nBest regards,\nBob Out\nHead of Sales\nOut Ltd | +44 20 7946 0000\nwww.out.example\n',
    ownText: 'The report is ready.\n\nBest regards,\nBob Out',
    signature: 'Head of Sales',
  },
  {
    label: 'contact details of the author, German',
    plain:
      'Der Bericht ist fertig.\n\nMit freundlichen Grüßen\nBernd Aus\n\nAus GmbH\nTel. 030 1234567\n',
    ownText: 'Der Bericht ist fertig.\n\nMit freundlichen Grüßen\nBernd Aus',
    signature: 'Aus GmbH',
  },
  {
    label: 'a disclaimer',
    plain:
      'The price is 300.\n\nThis email and any attachments are confidential and intended solely for the addressee. If you are not the addressee, delete it.\n',
    ownText: 'The price is 300.',
    signature: 'confidential',
  },
  {
    label: 'a mailing list',
    plain:
      'I agree with the patch.\n\n_______________________________________________\ndev mailing list\nhttps://lists.example/listinfo/dev\n',
    ownText: 'I agree with the patch.',
    signature: 'listinfo',
  },
  {
    label: 'only own text',
    plain: 'Hello Ann,\n\nFrom: the start we said: 3 days.\n\nBob\n',
    ownText: 'Hello Ann,\n\nFrom: the start we said: 3 days.\n\nBob',
  },
  {
    label: 'words that only look like an attribution',
    plain: 'As my teacher wrote:\n\nbe brief.\n',
    ownText: 'As my teacher wrote:\n\nbe brief.',
  },
  {
    label: 'a list with dashes',
    plain: 'Todo:\n- one\n- two\n\nThanks\nBob\n',
    ownText: 'Todo:\n- one\n- two\n\nThanks\nBob',
  },
  { label: 'nothing but a quotation', plain: '> Does it?\n', ownText: '> Does it?' },
]

test('in messages of many programs and languages the author’s own text is separated from quotes and signatures', async () => {
  const wrong: string[] = []
  for (const { label, ownText, signature, ...parts } of messages) {
    const { body } = await readBody(parts)
    if (body.own !== ownText)
      wrong.push(`${label}: ${JSON.stringify(body.own)} instead of ${JSON.stringify(ownText)}`)
    if (
      signature !== undefined &&
      (!body.signature.includes(signature) || body.own.includes(signature))
    )
      wrong.push(`${label}: the signature is ${JSON.stringify(body.signature)}`)
  }
  assert.deepEqual(wrong, [])
})

test('splitting a message loses no text', async () => {
  for (const { label, ownText, signature, ...parts } of messages) {
    const { body } = await readBody(parts)
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
    const keptWords = new Set(words([body.own, body.quoted, body.signature].join(' ')))
    assert.deepEqual(
      words(body.markdown).filter((word) => !keptWords.has(word)),
      [],
      label,
    )
  }
})
