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
  show: () => void
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
  const [listed, setListed] = useState<readonly OutlineEntry[]>()
  const open = () => setListed(headings())
  useCommands({ 'page.outline': open })
  const least = Math.min(...(listed ?? []).map(({ level }) => level))
  const choices = (listed ?? []).map((entry, n) => ({
    value: entry,
    id: String(n),
    label: entry.title,
    icon: <span className={styles.indent} data-depth={entry.level - least} aria-hidden />,
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
      {listed && button.current && (
        <Picker
          anchor={button.current}
          label={t.items.page.outline}
          choices={(query) => filterChoices(choices, query)}
          choose={({ show }) => setTimeout(show)} // once the list has given the focus back
          close={() => setListed(undefined)}
        />
      )}
    </>
  )
}

/** The headings of a rendered text. */
export function drawnHeadings(drawn: Element | null): OutlineEntry[] {
  const all = drawn?.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? []
  return [...all]
    .map((heading) => ({
      title: heading.textContent.trim(),
      level: Number(heading.tagName[1]),
      show() {
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
        heading.scrollIntoView()
      },
    }))
    .filter(({ title }) => title !== '')
}
