import { useOperation } from '../../../api/queries.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Shown } from '../../../ui/states.tsx'
import { PublicationForm } from './PublicationForm.tsx'
import { Readers } from './Readers.tsx'
import styles from './sharing.module.css'

/** Who sees a page, and whether it is on the web; its owner changes that here. */
export function ShareDialog({
  page,
  close,
}: {
  page: { id: string; title: string }
  close: () => void
}) {
  const found = useOperation('get_page', { page_id: page.id, outline_only: true })
  return (
    <Dialog isOpen close={close} title={wiki.share.title(page.title)}>
      <Shown of={found}>
        {(shared) => (
          <div className={styles.sharing}>
            <Readers page={shared} />
            {(shared.my_role === 'owner' || shared.publication) && (
              <PublicationForm key={shared.publication?.slug ?? ''} page={shared} />
            )}
          </div>
        )}
      </Shown>
    </Dialog>
  )
}
