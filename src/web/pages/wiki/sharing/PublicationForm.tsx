import { Anchor } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { CopyTextLink } from '../../../ui/actions/CopyTextLink.tsx'
import planning from '../../planning/planning.module.css'
import { reloadPage, type SharedPage } from './page.ts'
import styles from './sharing.module.css'

const words = wiki.share.web

/** Publishes a page on the web for everyone with its address, or unpublishes it. */
export function PublicationForm({ page }: { page: SharedPage }) {
  const { publication } = page
  const [withChildren, setWithChildren] = useState(publication?.include_children ?? false)
  const [until, setUntil] = useState(publication?.expires_at?.slice(0, 10) ?? '')
  const isOwner = page.my_role === 'owner'
  const publish = async (event: FormEvent) => {
    event.preventDefault()
    const input = {
      page_id: page.id,
      include_children: withChildren,
      expires_at: until === '' ? null : until,
    }
    await write('publish_page', input, { text: words.published(page.title), undo: false })
    await reloadPage()
  }
  const unpublish = async () => {
    const text = words.stopped(page.title)
    await write('unpublish_page', { page_id: page.id }, { text, undo: false })
    await reloadPage()
  }
  return (
    <section className={styles.part} aria-label={words.title}>
      <h3>{words.title}</h3>
      {publication ? (
        <p className={styles.address}>
          <Anchor href={publication.public_url} target="_blank" rel="noopener">
            {publication.public_url}
          </Anchor>
          <CopyTextLink text={publication.public_url} />
          {publication.status === 'expired' && <span>{words.expired}</span>}
        </p>
      ) : (
        <p className={styles.fact}>{words.about}</p>
      )}
      {isOwner && (
        <form className={planning.form} onSubmit={(event) => void publish(event)}>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={withChildren}
              onChange={(event) => setWithChildren(event.currentTarget.checked)}
            />
            {words.children}
          </label>
          <label>
            {words.until}
            <input
              type="date"
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          </label>
          <div className={styles.add}>
            <button type="submit" className={planning.primary}>
              {publication ? words.change : words.publish}
            </button>
            {publication && (
              <button type="button" className={planning.button} onClick={() => void unpublish()}>
                {words.stop}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}
