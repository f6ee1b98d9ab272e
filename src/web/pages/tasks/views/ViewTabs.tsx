import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import styles from '../tasks.module.css'
import { useSavedViews } from './saved.ts'
import { viewSearchParams, useView, parseView } from '../list/view.ts'

/** The built-in views, and saved ones. A saved view stays selected while it is changed. */
export function ViewTabs() {
  const { view, saved: openViewId } = useView()
  const savedViews = useSavedViews()
  const currentPath = taskViewPath(viewSearchParams(view))
  const isSavedViewOpen = savedViews.some(({ id }) => id === openViewId)
  const tabs = [
    { key: 'all', name: t.tasks.views.all, to: '/tasks', isCurrent: currentPath === '/tasks' },
    {
      key: 'mine',
      name: t.tasks.views.mine,
      to: '/tasks?assignee=me',
      isCurrent: currentPath === '/tasks?assignee=me',
    },
    ...savedViews.map(({ id, name, search, isShowable }) => {
      if (!isShowable) return { key: id, name, to: `/views/${id}`, isCurrent: false }
      const viewSearch = viewSearchParams(parseView(search))
      return {
        key: id,
        name,
        to: taskViewPath({ ...viewSearch, view: id }),
        isCurrent: isSavedViewOpen ? id === openViewId : taskViewPath(viewSearch) === currentPath,
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
