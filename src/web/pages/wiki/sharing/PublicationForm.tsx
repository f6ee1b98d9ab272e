import { Anchor } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { CopyTextLink } from '../../../ui/actions/CopyTextLink.tsx'
import planning from '../../planning/planning.module.css'
import { reloadPage, type SharedPage } from './page.ts'
import styles from './sharing.module.css'

const texts = wiki.share.web

/** Publishes a page on the web for everyone with its address, or unpublishes it. */
export function PublicationForm({ page }: { page: SharedPage }) {
  const { publication } = page
  const [includeChildren, setIncludeChildren] = useState(publication?.include_children ?? false)
  const [expiresOn, setExpiresOn] = useState(publication?.expires_at?.slice(0, 10) ?? '')
  const isOwner = page.my_role === 'owner'
  const publish = async (event: FormEvent) => {
    event.preventDefault()
    const input = {
      page_id: page.id,
      include_children: includeChildren,
      expires_at: expiresOn === '' ? null : expiresOn,
    }
    await write('publish_page', input, { text: texts.published(page.title), undo: false })
    await reloadPage()
  }
  const unpublish = async () => {
    const text = texts.stopped(page.title)
    await write('unpublish_page', { page_id: page.id }, { text, undo: false })
    await reloadPage()
  }
  return (
    <section className={styles.part} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      {publication ? (
        <p className={styles.address}>
          <Anchor href={publication.public_url} target="_blank" rel="noopener">
            {publication.public_url}
          </Anchor>
          <CopyTextLink text={publication.public_url} />
          {publication.status === 'expired' && <span>{texts.expired}</span>}
        </p>
      ) : (
        <p className={styles.fact}>{texts.about}</p>
      )}
      {isOwner && (
        <form className={planning.form} onSubmit={(event) => void publish(event)}>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={includeChildren}
              onChange={(event) => setIncludeChildren(event.currentTarget.checked)}
            />
            {texts.children}
          </label>
          <label>
            {texts.until}
            <input
              type="date"
              value={expiresOn}
              onChange={(event) => setExpiresOn(event.currentTarget.value)}
            />
          </label>
          <div className={styles.add}>
            <button type="submit" className={planning.primary}>
              {publication ? texts.change : texts.publish}
            </button>
            {publication && (
              <button type="button" className={planning.button} onClick={() => void unpublish()}>
                {texts.stop}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}
