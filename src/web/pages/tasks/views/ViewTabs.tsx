import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import styles from '../tasks.module.css'
import { useSavedViews } from './saved.ts'
import { searchOf, useView, viewOf } from '../list/view.ts'

/** The views that are always there, and the saved ones. */
export function ViewTabs() {
  const { view } = useView()
  const saved = useSavedViews()
  const here = addressOf(searchOf(view))
  const tabs = [
    { key: 'all', name: t.tasks.views.all, to: '/tasks' },
    { key: 'mine', name: t.tasks.views.mine, to: '/tasks?assignee=me' },
    ...saved.map((item) => ({
      key: item.id,
      name: item.name,
      to: addressOf(searchOf(viewOf(item.search))),
    })),
  ]
  return (
    <nav className={styles.views} aria-label={t.tasks.views.label}>
      {tabs.map(({ key, name, to }) => (
        <RouterLink
          key={key}
          to={to}
          className={styles.view}
          dir="auto"
          aria-current={to === here ? 'page' : undefined}
        >
          {name}
        </RouterLink>
      ))}
    </nav>
  )
}

export function addressOf(search: Record<string, string>): string {
  const query = new URLSearchParams(search).toString()
  return query === '' ? '/tasks' : `/tasks?${query}`
}
