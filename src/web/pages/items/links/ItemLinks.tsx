import { IconLink, IconPencil, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { linkTexts as words } from '../../../texts/en/company/links.ts'
import { ItemLink, type ItemReference } from '../../../ui/ItemLink.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { Problem } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import { linksOf, senseText, manualLinks, unlink, type ShownLink } from './data.ts'
import { isLinkable } from './linkable.ts'
import styles from './links.module.css'

const ItemLinkPicker = onDemand(() =>
  import('./ItemLinkPicker.tsx').then((part) => part.ItemLinkPicker),
)
const LinkNote = onDemand(() => import('./LinkNote.tsx').then((part) => part.LinkNote))

/** Links of an item made by people and assistants; added and removed in place. */
export function ItemLinks(props: ItemLinksProps) {
  return isLinkable(props.item.id) ? <Links {...props} /> : null
}

interface ItemLinksProps {
  item: ItemReference
  /** True in the side column, with smaller headings. */
  isBeside?: boolean
}

function Links({ item, isBeside = false }: ItemLinksProps) {
  const [linkPicker, setLinkPicker] = useState<{ anchor: Element; other?: ItemReference }>()
  const [notedLink, setNotedLink] = useState<ShownLink>()
  const button = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useOperation('find_related_items', linksOf(item.id))
  const links = manualLinks(data?.items ?? [])
  useCommands({ 'item.link': () => button.current?.click() })
  return (
    <section
      className={`${planning.section} ${styles.section}`}
      data-beside={isBeside || undefined}
    >
      <h2>
        {words.title}
        <button
          type="button"
          ref={button}
          className={planning.button}
          data-plain
          aria-haspopup="dialog"
          onClick={(event) => setLinkPicker({ anchor: event.currentTarget })}
        >
          <IconLink size={14} aria-hidden /> {words.add} <KeyCombo command="item.link" />
        </button>
      </h2>
      {error && <Problem error={error} retry={() => void refetch()} />}
      <dl className={styles.links}>
        {[...Map.groupBy(links, senseText)].map(([sense, senseLinks]) => (
          <div key={sense}>
            <dt>{sense}</dt>
            {senseLinks.map((link) => (
              <ItemLinkLine key={link.id} item={item} link={link} note={() => setNotedLink(link)} />
            ))}
          </div>
        ))}
      </dl>
      {linkPicker && (
        <ItemLinkPicker
          item={item}
          links={links}
          other={linkPicker.other}
          chooseOther={(other) => setTimeout(() => setLinkPicker({ ...linkPicker, other }))} // once the first list has given the focus back
          anchor={linkPicker.anchor}
          close={() => setLinkPicker(undefined)}
        />
      )}
      {notedLink && <LinkNote item={item} link={notedLink} close={() => setNotedLink(undefined)} />}
    </section>
  )
}

interface LineProps {
  item: ItemReference
  link: ShownLink
  note: () => void
}

function ItemLinkLine({ item, link, note }: LineProps) {
  return (
    <dd className={styles.line}>
      <div>
        <ItemLink item={link.item} />
        {link.note !== undefined && (
          <div className={styles.note} dir="auto">
            {link.note}
          </div>
        )}
      </div>
      <button
        type="button"
        className={styles.icon}
        aria-label={words.note.edit(link.item.title)}
        title={words.note.label}
        onClick={note}
      >
        <IconPencil size={14} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.icon}
        aria-label={words.remove(senseText(link), link.item.title)}
        onClick={() => void unlink(item, link)}
      >
        <IconX size={14} aria-hidden />
      </button>
    </dd>
  )
}
