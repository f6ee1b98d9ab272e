import type { Output } from '../../../api/client.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Face } from '../../../ui/work/Who.tsx'
import styles from './versions.module.css'

export type Version = Output<'list_page_versions'>['items'][number]

interface Writer {
  id: string
  name: string
  kind: 'person' | 'assistant' | 'automation'
  /** Owner of the key that an assistant used. */
  owner?: string
}

/** All authors of a version; assistants by the name of their key if the reader may know it. */
function writersOf({ author, authors, via, key_name: key }: Version): Writer[] {
  const nameOf = (title: string) => title || wiki.versions.someone
  if (key !== undefined || via === 'mcp')
    return [
      {
        id: author.id,
        name: key ?? wiki.versions.assistant,
        kind: 'assistant',
        owner: nameOf(author.title),
      },
    ]
  const kind = via === 'automation' ? 'automation' : 'person'
  return (authors ?? [author]).map(({ id, title }) => ({ id, name: nameOf(title), kind }))
}

/** Authors of a version, with a face for each. */
export function VersionAuthors({ version, size = 18 }: { version: Version; size?: number }) {
  return (
    <span className={styles.writers}>
      {writersOf(version).map(({ id, name, kind, owner }) => (
        <span key={id} className={styles.writer}>
          <Face id={id} name={name} kind={kind} size={size} />
          <span dir="auto">
            {name}
            {owner !== undefined && (
              <span className={styles.quiet}> {wiki.versions.by(owner)}</span>
            )}
          </span>
        </span>
      ))}
    </span>
  )
}
