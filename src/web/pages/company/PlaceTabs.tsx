import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCommands } from '../../keys/commands.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import planning from '../planning/planning.module.css'

interface PlaceTabsProps {
  label: string
  /** A nested place comes after its parent. */
  tabs: readonly { to: string; label: string }[]
}

/** Tabs of related pages; `}` and `{` switch between them. */
export function PlaceTabs({ label: name, tabs }: PlaceTabsProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const at = tabs.findLastIndex(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  const go = (step: number) => () =>
    void navigate({ to: tabs[(at + step + tabs.length) % tabs.length]?.to ?? pathname })
  useCommands({ 'tab.next': go(1), 'tab.previous': go(-1) })
  return (
    <nav className={planning.tabs} aria-label={name}>
      {tabs.map(({ to, label }, n) => (
        <RouterLink
          key={to}
          to={to}
          className={planning.tab}
          aria-current={n === at ? 'page' : undefined}
        >
          {label}
        </RouterLink>
      ))}
    </nav>
  )
}
