import { ActionIcon } from '@mantine/core'
import { IconListTree } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import { t } from '../../texts/index.ts'
import { filterChoices, Picker } from '../../ui/work/Picker.tsx'
import styles from './wiki.module.css'

/** A heading as a link target. */
interface OutlineEntry {
  title: string
  level: number
  goTo: () => void
}

interface Props {
  /** It is also in a menu: there is no button on small screens. */
  isInMenu?: boolean
  /** The current headings, in order. */
  headings: () => readonly OutlineEntry[]
}

/** Lists the headings of a page, and scrolls to the chosen one. */
export function OutlineButton({ headings, isInMenu = false }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [entries, setEntries] = useState<readonly OutlineEntry[]>()
  const open = () => setEntries(headings())
  useCommands({ 'page.outline': open })
  const minLevel = Math.min(...(entries ?? []).map(({ level }) => level))
  const choices = (entries ?? []).map((entry, index) => ({
    value: entry,
    id: String(index),
    label: entry.title,
    icon: <span className={styles.indent} data-depth={entry.level - minLevel} aria-hidden />,
  }))
  return (
    <>
      <ActionIcon
        ref={button}
        variant="subtle"
        className={isInMenu ? styles.onWide : undefined}
        aria-label={t.items.page.outline}
        aria-haspopup="dialog"
        title={tooltipOf('page.outline', t.items.page.outline)}
        onClick={open}
      >
        <IconListTree size={16} aria-hidden />
      </ActionIcon>
      {entries && button.current && (
        <Picker
          anchor={button.current}
          label={t.items.page.outline}
          choices={(query) => filterChoices(choices, query)}
          choose={({ goTo }) => setTimeout(goTo)} // once the list has returned the focus
          close={() => setEntries(undefined)}
        />
      )}
    </>
  )
}

/** The headings of a rendered text. */
export function renderedHeadings(container: Element | null): OutlineEntry[] {
  const elements = container?.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? []
  return [...elements]
    .map((heading) => ({
      title: heading.textContent.trim(),
      level: Number(heading.tagName[1]),
      goTo() {
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
        heading.scrollIntoView()
      },
    }))
    .filter(({ title }) => title !== '')
}
