// Introductions that mail programs put before quoted and forwarded messages, in various languages, and their footers.

const months = String.raw`(jan|feb|mar|mär|apr|may|mai|maj|jun|jul|aug|sep|oct|okt|out|nov|dec|dez|dic|déc|fév|avr|juin|juil|août|ene|abr|ago|set|giu|lug|gen|mag|ott|mei|мая|янв|фев|мар|апр|июн|июл|авг|сен|окт|ноя|дек)`
const datePattern = new RegExp(
  String.raw`\d{1,2}[:.]\d{2}|\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}|\d{1,2}\.?\s*${months}|${months}\w*\.?\s*\d{1,2}|@`,
  'iu',
)

/** `On 3 May 2026 at 10:00, Ann wrote:`: the verb or first word shows that quoted words follow. */
const attributions = [
  /^on\b.{4,400}\b(wrote|writes|said)\s*:$/i,
  /^.{2,300}\b(wrote|writes)\s*(on\b.{4,200})?:$/i,
  /^(am|on|den|vom)\b.{4,400}\b(schrieb|hat geschrieben|schreibt)\b.{0,200}:$/i,
  /^.{2,300}\bschrieb(en)?\s*((am|um|vor)\b.{2,100})?:$/i,
  /^(le|the)\b.{4,400}\b(a écrit|écrit|écrivait)\s*:$/i,
  /^.{2,300}\ba écrit\s*(le\b.{4,100})?:$/i,
  /^(el|on)\b.{4,400}\b(escribió|escribio|escribiu)\s*:$/i,
  /^(il|in data|il giorno)\b.{4,400}\b(ha scritto|scrive)\s*:$/i,
  /^(em|a|no dia)\b.{4,400}\b(escreveu|escribiu)\s*:$/i,
  /^(op|on)\b.{4,400}\b(schreef|het volgende geschreven)\b.{0,200}:$/i,
  /^(den|på|på\s)?.{4,400}\b(skrev|kirjoitti)\b.{0,200}:$/i,
  /^(w dniu|dnia|dne|on)\b.{4,400}(napisał|napisała|napisał\(a\)|napsal|napsal\(a\))\s*:$/iu,
  /^.{4,400}(пишет|написал|написала|написал\(а\)|пише|написав)\s*:$/iu,
  /^.{4,400}(さんは書きました|のメール|さんが書きました)\s*[:：]$/u,
  /^(在|于).{4,400}写道\s*[:：]$/u,
  /^.{4,400}(님이 작성|작성:)\s*:?$/u,
]

/** Whether a line names the author and time of the text that follows. */
export function isAttribution(line: string): boolean {
  const plain = stripLineMarks(line)
  return (
    /[:：]$/.test(plain) &&
    datePattern.test(plain) &&
    attributions.some((attribution) => attribution.test(plain))
  )
}

/** Whether the last line above a quotation is an attribution in any language: with a time and an address. */
export function isAttributionAbove(line: string): boolean {
  const plain = stripLineMarks(line)
  return (
    isAttribution(line) ||
    (/[:：]$/.test(plain) && /\d{1,2}[:.]\d{2}/.test(plain) && /[^\s<>()]+@[^\s<>()]+/.test(plain))
  )
}

const originalMessagePattern =
  /^[\s*_>]*-{2,}\s*\**(original message|original appointment|reply message|ursprüngliche nachricht|originalnachricht|originale? ?nachricht|message d'origine|message d’origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|původní zpráva|исходное сообщение|оригинальное сообщение|原始邮件|元のメッセージ)\**\s*-*\s*\**$/iu

/** `-----Original Message-----` */
export function isOriginalMessageLine(line: string): boolean {
  return originalMessagePattern.test(line.replaceAll('\\', ''))
}

const fromHeader = /^(from|von|de|da|van|från|fra|lähettäjä|od|от|差出人|发件人|寄件者)\s*[:：]/iu
const otherHeaders =
  /^(sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|envoyée|date|à|objet|enviado|enviado el|fecha|para|asunto|inviato|data|a|oggetto|assunto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|отправлено|дата|кому|тема|copia|kopie|送信日時|宛先|件名|发送时间|收件人|主题|日期)\s*[:：]/iu

/**
 * Whether Outlook-style headers of another message begin here: From, and two of Sent, To, Subject within the next
 * lines.
 */
export function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!fromHeader.test(stripLineMarks(lines[at]!))) return false
  const next = lines
    .slice(at + 1, at + 14)
    .map(stripLineMarks)
    .filter((line) => line !== '')
    .slice(0, 6)
  // Markdown of HTML may have all of them on one line.
  const sameLineHeaders = stripLineMarks(lines[at]!)
    .replaceAll(
      /\s(?=(sent|date|to|subject|gesendet|datum|an|betreff|envoyé|objet|enviado|asunto|inviato|oggetto|verzonden|onderwerp)\s*:)/giu,
      '\n',
    )
    .split('\n')
    .slice(1)
  return [...sameLineHeaders, ...next].filter((line) => otherHeaders.test(line)).length >= 2
}

const signOffs =
  /^[\s_*]*((sent|send) from (my |mail for |outlook|yahoo|samsung|the |gmail|proton)|sent via\b|sent with\b|get outlook for|von meine[mr] .{2,40} gesendet|gesendet (von|mit|mittels) |diese nachricht wurde von meinem|envoyé (de|depuis|avec|à partir) |télécharger outlook|enviado (desde|do|a partir) |inviato (da|dal) |verzonden (vanaf|met|via) |skickat från |sendt fra |lähetetty |wysłane z |отправлено (с|из) |iphoneから送信|发自我的|从我的)/iu

/** True for footers added by phones and mail programs. */
export function isSignOff(line: string): boolean {
  const plain = stripLineMarks(line)
  return plain.length <= 160 && signOffs.test(plain)
}

/** `-- `, the traditional signature separator; `___` above the footer of a list. */
export function isSignatureLine(line: string, next: readonly string[]): boolean {
  if (/^\s{0,3}\\?-\\?-\s?$/.test(line)) return true
  return (
    /^[\s\\]*(?:_\\?){20,}\s*$/.test(line) &&
    next
      .slice(0, 6)
      .some((nextLine) =>
        /mailing list|mailing-list|unsubscribe|listinfo|mailinglist/i.test(nextLine),
      )
  )
}

const valedictions =
  /^[\s_*]*((many |best |kind |kindest |warm |warmest |with best |with kind )?regards|best( wishes)?|all the best|cheers|thanks( again| a lot| so much)?|many thanks|thank you|sincerely( yours)?|yours( truly| sincerely| faithfully)?|respectfully|take care|(mit )?(freundlichen|freundliche|besten|beste|lieben|liebe|herzlichen|herzliche|viele|schöne|sonnigen) grüßen?( aus .{2,30})?|mfg|vg|lg|gruß|grüße|cordialement|bien (à vous|cordialement)|cordiales salutations|salutations( distinguées)?|amicalement|saludos( cordiales)?|un saludo|atentamente|cordiali saluti|distinti saluti|saluti|atenciosamente|cumprimentos|abraços|met vriendelijke groet(en)?|groeten|groet|med vänlig(a)? hälsning(ar)?|mvh|hälsningar|med venlig hilsen|vennlig hilsen|z poważaniem|pozdrawiam|с уважением|s pozdravem)[\s,.!_*-]*$/iu
const contact =
  /\+?\(?\d[\d\s()./-]{6,}\d|https?:\/\/|www\.|\b[\w.+-]+@[\w-]+\.\w+|\b(gmbh|ltd|inc|llc|s\.?a\.?|ag|kg|b\.?v\.?|plc|hrb|ust-?id|vat|siren|siret|tel|fon|phone|mobile|mobil|fax|linkedin|twitter)\b/i

/**
 * Index at which the contact block after a closing begins: after the name. Undefined if the text after the closing
 * may be more than that.
 */
export function contactsAt(lines: readonly string[]): number | undefined {
  const first = Math.max(0, lines.length - 20)
  const farewell = lines.findLastIndex(
    (line, i) => i >= first && valedictions.test(stripLineMarks(line)),
  )
  if (farewell < 0) return undefined
  const rest = lines
    .map((line, i) => [line, i] as const)
    .slice(farewell + 1)
    .filter(([line]) => line.trim() !== '')
  const block = rest.slice(1)
  if (
    block.length === 0 ||
    block.length > 14 ||
    block.some(([line]) => stripLineMarks(line).length > 140 || /[?]\s*$/.test(line))
  )
    return undefined
  return block.some(([line]) => contact.test(line)) ? block[0]![1] : undefined
}

const disclaimer =
  /\b(this (e-?mail|message|communication)( and any| \(including|,? including| may contain| is (intended|confidential)| contains).{0,200}(confidential|privileged|intended|addressee)|diese (e-?mail|nachricht) (enthält|ist|kann) .{0,80}(vertraulich|rechtlich geschützt)|ce (message|courriel|mail) .{0,120}confidentiel|este (mensaje|correo) .{0,120}confidencial|questo messaggio .{0,120}(riservat|confidenzial))/iu

/** True for the legal disclaimer that organizations append to their mail. */
export function isDisclaimer(paragraph: string): boolean {
  return disclaimer.test(paragraph.slice(0, 800))
}

/** A line without surrounding Markdown and quotation markers. */
export function stripLineMarks(line: string): string {
  return line
    .slice(0, 1_000)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_\\`]+/g, '')
    .replace(/^[\s>#|]+/, '')
    .trim()
}
