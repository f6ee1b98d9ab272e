import { useEffect, useRef, type ReactNode } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { KeyRegion } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { appPath } from '../../../ui/AppLink.tsx'
import { itemTypeOf, itemPathOf } from '../../../ui/kinds.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import styles from './peek.module.css'
import { PeekHead } from './PeekHead.tsx'

const ItemView = onDemand(() => import('./ItemView.tsx').then((part) => part.ItemView))

interface PeekProps {
  id: string
  close: () => void
}

/** An item beside the screen that links to it. Its keys are active while it has the focus. */
export function ItemPeek({ id, close }: PeekProps) {
  const region = useRef<HTMLElement>(null)
  const type = itemTypeOf(id)
  const kind = t.items.kind(type ?? '')
  const path = itemPathOf(id)
  useEffect(() => region.current?.focus(), [])
  const kindLabel = <span className={styles.kind}>{kind}</span>
  return (
    <aside ref={region} className={styles.peek} aria-label={kind} tabIndex={-1}>
      {path === undefined ? (
        <PartHead id={id} close={close}>
          {kindLabel}
        </PartHead>
      ) : (
        <PeekHead itemId={id} page={path} close={close}>
          {kindLabel}
        </PeekHead>
      )}
      <div className={styles.body}>
        <KeyRegion value={region}>
          <ItemView item={{ id, type }} />
        </KeyRegion>
      </div>
    </aside>
  )
}

/** Parts are shown on the page of their item. */
function PartHead({ id, ...rest }: PeekProps & { children: ReactNode }) {
  const { data } = useOperation('get_item', { item_id: id })
  const page = data?.url === undefined ? undefined : appPath(data.url)
  return <PeekHead itemId={id} page={page} {...rest} />
}
