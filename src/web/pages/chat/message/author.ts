import { t } from '../../../texts/index.ts'
import type { Message } from '../data/rows.ts'

export interface Author {
  id: string
  name: string
  kind: 'person' | 'assistant'
  /** Note after the name: the owner of the assistant, or the origin of the message. */
  note?: string
}

/** The author of a message: a person, an assistant, or the original author of an imported one. */
export function authorOf({ author, imported, via_assistant }: Message): Author {
  if (imported)
    return {
      id: imported.author,
      name: imported.author,
      kind: 'person',
      note: t.chat.importedFrom(imported.from),
    }
  if (via_assistant)
    return {
      id: author.id,
      name: t.chat.assistant,
      kind: 'assistant',
      note: t.chat.assistantOf(author.title),
    }
  return { id: author.id, name: author.title, kind: 'person' }
}
