import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import type { ToMarkdown } from './import-plan.ts'
import { readHtml } from './renderer.ts'

// Reading HTML takes up to some seconds a megabyte. An import is one transaction in which everybody waits, so that what is more than a
// little is read before it, by a thread of its own.

/** Characters of one HTML document that are read. */
const longest = 1_000_000
/** Characters of all HTML of one import. */
const mostTogether = 5_000_000
/** Of that, what is read inside of the transaction, where nobody could read it before. */
const mostWithin = 100_000

type Read = ReturnType<ToMarkdown>
let loaded: ToMarkdown | undefined

/** What was read for imports that are about to begin, by the hash of the HTML. Those that never come leave it for others to push out. */
const read = new Map<string, Read | Refusal>()
const mostRead = 4 * mostTogether
let held = 0

/** Reads what HTML an import will ask for, before it begins. `plan`: goes through the import as it will be, with this in place of a converter. */
export async function readBeforehand(plan: (toMarkdown: ToMarkdown) => unknown): Promise<void> {
  loaded ??= (await import('./rendering.ts')).toMarkdown // it takes time and memory that other calls do not need
  const found = new Set<string>()
  plan(html => {
    found.add(html)
    return { text: '', title: undefined }
  })
  let together = 0
  for (const html of found) together += html.length
  if (together <= mostWithin) return
  if (together > mostTogether) throw new Refusal('too_large', `This is HTML of ${together} characters; one import reads ${mostTogether}.`, 'Import it in parts, or convert it to Markdown before.')
  for (const html of found) if (html.length <= longest) remember(html, await readHtml(html))
}

function remember(html: string, { failed, ...made }: Awaited<ReturnType<typeof readHtml>>): void {
  const hash = hashOf(html)
  taken(hash)
  const known = failed === undefined ? (made as Read) : new Refusal('invalid_argument', `This HTML cannot be turned into Markdown: ${failed}.`, 'Convert it before.')
  read.set(hash, known)
  held += sizeOf(known)
  while (held > mostRead) taken(read.keys().next().value!)
}

/** What was read of a document, which is kept no longer. */
function taken(hash: string): Read | Refusal | undefined {
  const known = read.get(hash)
  if (read.delete(hash)) held -= sizeOf(known!)
  return known
}

function sizeOf(known: Read | Refusal): number {
  return known instanceof Refusal ? 100 : known.text.length
}

function hashOf(html: string): string {
  return createHash('sha256').update(html).digest('base64')
}

/** What turns HTML into Markdown for one import. It throws Refusal too_large, or unavailable where nobody loaded the converter before. */
export function converter(): ToMarkdown {
  let within = 0
  const own = new Map<string, Read | Refusal>()
  return html => {
    if (html.length > longest) throw new Refusal('too_large', `The HTML has more than ${longest} characters.`, 'Split it, or convert it to Markdown before.')
    const hash = hashOf(html)
    const known = own.get(hash) ?? taken(hash)
    if (known) own.set(hash, known)
    if (known instanceof Refusal) throw known
    if (known) return known
    within += html.length
    if (within > mostWithin) throw new Refusal('too_large', `Of a file, HTML of ${mostWithin} characters is read.`, 'Send it as content, or in parts, or convert it to Markdown before.')
    if (!loaded) throw new Refusal('unavailable', 'The reader of HTML is not loaded.', { retry_after_seconds: 1 })
    return loaded(html)
  }
}
