import { useEffect, useRef } from 'react'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import { Ago } from '../../../ui/times.tsx'
import { VersionAuthors, type Version } from './VersionWho.tsx'
import styles from './versions.module.css'

const texts = wiki.versions

interface Props {
  pageId: string
  versions: readonly Version[]
  selectedId: string | undefined
  query: Parameters<typeof MoreButton>[0]['query']
}

/** The versions of a page, newest first. */
export function VersionList({ pageId, versions, selectedId, query }: Props) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    // After the app has moved the focus to the content, as after every navigation.
    const frame = requestAnimationFrame(() => {
      const active = document.activeElement
      if (active === null || active.matches('body,main') || list.current?.contains(active))
        list.current?.querySelector<HTMLElement>(`[data-version="${selectedId}"]`)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [selectedId])
  return (
    <nav ref={list} aria-label={texts.title} className={styles.list}>
      <ol className="plain-list">
        {versions.map((version) => (
          <li key={version.id}>
            <RouterLink
              to={versionPath(pageId, version.id)}
              className={styles.version}
              data-version={version.id}
              aria-current={version.id === selectedId ? 'true' : undefined}
            >
              <span className={styles.versionHead}>
                <strong>{texts.version(version.number)}</strong>
                {version.current && <span className={styles.badge}>{texts.current}</span>}
                <span className={styles.when}>
                  <Ago time={version.created_at} />
                </span>
              </span>
              <VersionAuthors version={version} />
              <span className={styles.quiet}>{texts.size(version.chars_changed)}</span>
            </RouterLink>
          </li>
        ))}
      </ol>
      <MoreButton query={query} />
    </nav>
  )
}

/** The address of a page version. */
export const versionPath = (pageId: string, versionId: string) =>
  `/pages/${pageId}/versions/${versionId}`
