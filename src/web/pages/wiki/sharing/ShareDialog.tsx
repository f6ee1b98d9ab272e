import { useOperation } from '../../../api/queries.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { PublicationForm } from './PublicationForm.tsx'
import { Readers } from './Readers.tsx'
import styles from './sharing.module.css'

/** Readers of a page, and its publication on the web; both are changed here by its owner. */
export function ShareDialog({
  page,
  close,
}: {
  page: { id: string; title: string }
  close: () => void
}) {
  const pageQuery = useOperation('get_page', { page_id: page.id, outline_only: true })
  return (
    <Dialog isOpen close={close} title={wiki.share.title(page.title)}>
      <QueryContent query={pageQuery}>
        {(sharedPage) => (
          <div className={styles.sharing}>
            <Readers page={sharedPage} />
            {(sharedPage.my_role === 'owner' || sharedPage.publication) && (
              <PublicationForm key={sharedPage.publication?.slug ?? ''} page={sharedPage} />
            )}
          </div>
        )}
      </QueryContent>
    </Dialog>
  )
}
