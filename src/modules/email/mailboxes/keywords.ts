/** Standard IMAP keywords of labels, by label name. */
const standardKeywords: Readonly<Record<string, string>> = { important: '$Important' }
const labelsByKeyword = new Map(
  Object.entries(standardKeywords).map(([name, keyword]) => [keyword.toLowerCase(), name]),
)

/** Keywords for use between mail programs, which are not labels. */
const technicalKeywords =
  /^\$(?:forwarded|mdnsent|junk|notjunk|phishing|submitted|submitpending|hasattachment|hasnoattachment|unsubscribed|maskedemail|canunsubscribe|autosent|follow[\w-]*|istrusted|new|mailflagbit\d)$|^(?:junk|nonjunk|notjunk|forwarded|redirected|oldjunk)$/i

/** The IMAP keyword of a label: an atom, without spaces and non-ASCII characters. */
export function keywordOf(label: string): string {
  const keyword = standardKeywords[label.toLowerCase()]
  if (keyword) return keyword
  return label.replaceAll(/[^!#$'+,\-.0-9A-Z^_`a-z|~]/gu, (name) =>
    /\s/u.test(name)
      ? '_'
      : `&${Buffer.from(name.normalize('NFC'), 'utf16le').swap16().toString('base64').replaceAll('=', '').replaceAll('/', ',')}-`,
  )
}

/** The label for a keyword: one of the mailbox's labels, else the keyword itself; undefined for technical keywords. */
export function labelOf(keyword: string, labels: Iterable<string>): string | undefined {
  if (technicalKeywords.test(keyword)) return undefined
  const labelName = labelsByKeyword.get(keyword.toLowerCase())
  if (labelName) return labelName
  for (const label of labels)
    if (keywordOf(label).toLowerCase() === keyword.toLowerCase()) return label
  return keyword
}
