import {
  IconAdjustmentsHorizontal,
  IconCalendar,
  IconTimeline,
  IconFilter,
  IconLayoutKanban,
  IconList,
  IconTable,
  IconPlus,
  type Icon,
} from '@tabler/icons-react'
import { useContext, useRef } from 'react'
import { runCommand } from '../../../keys/commands.ts'
import { tooltipOf } from '../../../keys/tooltip.ts'
import { t } from '../../../texts/index.ts'
import { MenuButton } from '../../../ui/actions/MenuButton.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import styles from '../tasks.module.css'
import { openFilterMenu } from '../filter/menu.ts'
import { ViewTabs } from '../views/ViewTabs.tsx'
import { layouts, TaskScope, useView, type Layout } from './view.ts'

const DisplayMenu = onDemand(
  () => import('./DisplayMenu.tsx').then(({ DisplayMenu }) => DisplayMenu),
  ({ button }) => button,
)

interface BarProps {
  isLoading: boolean
  /** Number of displayed tasks. */
  count: number
}

/** The top bar: views, filter, display options, and a button for a new task. */
export function Bar({ isLoading, count }: BarProps) {
  const filterButton = useRef<HTMLButtonElement>(null)
  const isEmbedded = useContext(TaskScope) !== undefined
  return (
    <header className={styles.bar}>
      {!isEmbedded && <h1>{t.tasks.title}</h1>}
      {isEmbedded ? <span className={styles.spring} /> : <ViewTabs />}
      <span role="status" hidden>
        {t.tasks.count(count)}
      </span>
      <button
        ref={filterButton}
        type="button"
        className={styles.button}
        data-plain
        data-filter-button
        onClick={() => filterButton.current && openFilterMenu(filterButton.current)}
      >
        <IconFilter size={15} stroke={1.7} aria-hidden />
        {t.tasks.filter}
      </button>
      <Display />
      <Layouts />
      <button
        type="button"
        className={`${styles.primary} ${styles.hideNarrow}`}
        title={tooltipOf('task.create', t.tasks.create.title)}
        onClick={() => runCommand('task.create')}
      >
        <IconPlus size={15} stroke={2} aria-hidden />
        {t.tasks.create.short}
      </button>
      {isLoading && <span className={styles.reading} />}
    </header>
  )
}

const layoutIcons: Readonly<Record<Layout, Icon>> = {
  list: IconList,
  board: IconLayoutKanban,
  table: IconTable,
  timeline: IconTimeline,
  calendar: IconCalendar,
}

function Layouts() {
  const { view, change } = useView()
  return (
    <fieldset className={styles.layouts} aria-label={t.tasks.layout}>
      {layouts.map((layout, index) => {
        const Shape = layoutIcons[layout]
        return (
          <button
            key={layout}
            type="button"
            aria-label={t.tasks.layouts[layout]}
            title={`${t.tasks.layouts[layout]}  ${index + 1}`}
            aria-pressed={view.layout === layout}
            onClick={() => change({ layout })}
          >
            <Shape size={15} stroke={1.7} aria-hidden />
          </button>
        )
      })}
    </fieldset>
  )
}

/** Grouping and sorting of the tasks. */
function Display() {
  return (
    <MenuButton menu={DisplayMenu}>
      <button type="button" className={styles.button} data-plain>
        <IconAdjustmentsHorizontal size={15} stroke={1.7} aria-hidden />
        {t.tasks.display}
      </button>
    </MenuButton>
  )
}
