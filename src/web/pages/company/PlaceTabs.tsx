import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCommands } from '../../keys/commands.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import planning from '../planning/planning.module.css'

interface PageTabsProps {
  label: string
  /** A nested path comes after its parent. */
  tabs: readonly { to: string; label: string }[]
}

/** Tabs of related pages; `}` and `{` switch between them. */
export function PageTabs({ label: name, tabs }: PageTabsProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const currentIndex = tabs.findLastIndex(
    ({ to }) => pathname === to || pathname.startsWith(`${to}/`),
  )
  const switchBy = (step: number) => () =>
    void navigate({ to: tabs[(currentIndex + step + tabs.length) % tabs.length]?.to ?? pathname })
  useCommands({ 'tab.next': switchBy(1), 'tab.previous': switchBy(-1) })
  return (
    <nav className={planning.tabs} aria-label={name}>
      {tabs.map(({ to, label }, n) => (
        <RouterLink
          key={to}
          to={to}
          className={planning.tab}
          aria-current={n === currentIndex ? 'page' : undefined}
        >
          {label}
        </RouterLink>
      ))}
    </nav>
  )
}
