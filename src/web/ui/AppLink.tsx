import { Anchor, type AnchorProps } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from 'react'

/** The path for an item's `url` within the app; undefined if it is outside. */
export function appPath(url: string): string | undefined {
  const parsed = URL.parse(url, window.location.origin)
  if (!parsed) return undefined
  // The base URL may be an alias of this server; paths are the same.
  return parsed.pathname.startsWith('/api/') || parsed.pathname.startsWith('/p/')
    ? undefined
    : parsed.pathname + parsed.search + parsed.hash
}

/** The path of an address in this workspace; undefined for external addresses. */
export function workspacePath(href: string): string | undefined {
  const url = URL.parse(href, window.location.origin)
  return url?.origin === window.location.origin ? appPath(href) : undefined
}

/** True if a click follows a link in place, without opening a tab or window. */
export const isPlainClick = (event: MouseEvent): boolean =>
  !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

interface Props
  extends AnchorProps,
    Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps | 'href'> {
  to: string
  children?: ReactNode
}

/** A link within the app, followed without reloading the page. */
export function AppLink({ to, ...rest }: Props) {
  return <Anchor component={RouterLink} to={to} {...rest} />
}

/** For components that accept another component to render as. */
export function RouterLink({
  to,
  ...rest
}: Omit<ComponentPropsWithoutRef<'a'>, 'href'> & { to: string }) {
  // the current entry is marked by other code: for the router, /tasks also matches /tasks?assignee=me
  return <Link {...linkTo(to)} activeOptions={exactMatch} {...rest} />
}

/** A link for rows of long lists: does not track the current address, and is cheap to render. */
export function RowLink({
  to,
  ...rest
}: Omit<ComponentPropsWithoutRef<'a'>, 'href' | 'onClick'> & { to: string }) {
  const router = useRouter()
  const handleClick = (event: MouseEvent) => {
    if (!isPlainClick(event) || event.defaultPrevented) return // the browser opens it elsewhere
    event.preventDefault()
    void router.navigate(linkTo(to))
  }
  return <a href={to} onClick={handleClick} {...rest} />
}

const exactMatch = { exact: true, includeSearch: true, includeHash: true }

/** An address of the app in router format. */
export function linkTo(to: string): { to: string; search?: Record<string, string>; hash?: string } {
  if (!/[?#]/.test(to)) return { to, search: {} }
  const url = new URL(to, window.location.origin)
  return {
    to: url.pathname,
    search: Object.fromEntries(url.searchParams),
    ...(url.hash === '' ? {} : { hash: url.hash.slice(1) }),
  }
}
