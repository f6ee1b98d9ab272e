import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import styles from '../tasks.module.css'
import { useSavedViews } from './saved.ts'
import { searchOf, useView, viewOf } from '../list/view.ts'

/** The built-in views, and saved ones. A saved view stays selected while it is changed. */
export function ViewTabs() {
  const { view, saved: open } = useView()
  const saved = useSavedViews()
  const here = taskViewPath(searchOf(view))
  const isThere = saved.some(({ id }) => id === open)
  const tabs = [
    { key: 'all', name: t.tasks.views.all, to: '/tasks', isCurrent: here === '/tasks' },
    {
      key: 'mine',
      name: t.tasks.views.mine,
      to: '/tasks?assignee=me',
      isCurrent: here === '/tasks?assignee=me',
    },
    ...saved.map(({ id, name, search, isShowable }) => {
      if (!isShowable) return { key: id, name, to: `/views/${id}`, isCurrent: false }
      const viewSearch = searchOf(viewOf(search))
      return {
        key: id,
        name,
        to: taskViewPath({ ...viewSearch, view: id }),
        isCurrent: isThere ? id === open : taskViewPath(viewSearch) === here,
      }
    }),
  ]
  return (
    <nav className={styles.views} aria-label={t.tasks.views.label}>
      {tabs.map(({ key, name, to, isCurrent }) => (
        <RouterLink
          key={key}
          to={to}
          className={styles.view}
          dir="auto"
          aria-current={isCurrent ? 'page' : undefined}
        >
          {name}
        </RouterLink>
      ))}
    </nav>
  )
}

export function taskViewPath(search: Record<string, string>): string {
  const query = new URLSearchParams(search).toString()
  return query === '' ? '/tasks' : `/tasks?${query}`
}
