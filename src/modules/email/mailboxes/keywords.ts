/** IMAP keywords that stand for labels with a name of their own here. */
const standardKeywords: Readonly<Record<string, string>> = { important: '$Important' }
const names = new Map(
  Object.entries(standardKeywords).map(([name, keyword]) => [keyword.toLowerCase(), name]),
)

/** Keywords that are no labels: what programs tell each other by them. */
const machines =
  /^\$(?:forwarded|mdnsent|junk|notjunk|phishing|submitted|submitpending|hasattachment|hasnoattachment|unsubscribed|maskedemail|canunsubscribe|autosent|follow[\w-]*|istrusted|new|mailflagbit\d)$|^(?:junk|nonjunk|notjunk|forwarded|redirected|oldjunk)$/i

/** The IMAP keyword of a label: an atom, which has neither blanks nor letters beyond ASCII. */
export function keywordOf(label: string): string {
  const keyword = standardKeywords[label.toLowerCase()]
  if (keyword) return keyword
  return label.replaceAll(/[^!#$'+,\-.0-9A-Z^_`a-z|~]/gu, (name) =>
    /\s/u.test(name)
      ? '_'
      : `&${Buffer.from(name.normalize('NFC'), 'utf16le').swap16().toString('base64').replaceAll('=', '').replaceAll('/', ',')}-`,
  )
}

/** The label that a keyword stands for, among those that the mailbox has by name here; else one by the keyword's own name. Undefined where it is none. */
export function labelOf(keyword: string, labels: Iterable<string>): string | undefined {
  if (machines.test(keyword)) return undefined
  const labelName = names.get(keyword.toLowerCase())
  if (labelName) return labelName
  for (const label of labels)
    if (keywordOf(label).toLowerCase() === keyword.toLowerCase()) return label
  return keyword
}
