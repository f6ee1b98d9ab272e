import { Anchor, type AnchorProps } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from 'react'

/** An address of the app without its server: what `url` of an item leads to here; undefined where it leads elsewhere. */
export function appPath(url: string): string | undefined {
  const parsed = URL.parse(url, window.location.origin)
  if (!parsed) return undefined
  // The base URL may be another name of this server; the paths are the same.
  return parsed.pathname.startsWith('/api/') || parsed.pathname.startsWith('/p/')
    ? undefined
    : parsed.pathname + parsed.search + parsed.hash
}

/** The path of an address of this workspace; undefined where it leads elsewhere. */
export function ownPath(href: string): string | undefined {
  const url = URL.parse(href, window.location.origin)
  return url?.origin === window.location.origin ? appPath(href) : undefined
}

/** Whether a click follows a link where it is, and opens no other tab or window. */
export const isPlainClick = (event: MouseEvent): boolean =>
  !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

interface Props
  extends AnchorProps,
    Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps | 'href'> {
  to: string
  children?: ReactNode
}

/** A link to an address of the app, followed without loading the page. */
export function AppLink({ to, ...rest }: Props) {
  return <Anchor component={RouterLink} to={to} {...rest} />
}

/** For components that take another one to be drawn as. */
export function RouterLink({
  to,
  ...rest
}: Omit<ComponentPropsWithoutRef<'a'>, 'href'> & { to: string }) {
  // where one is, is said by those who know: to the router, /tasks is also where /tasks?assignee=me leads
  return <Link {...linkTo(to)} activeOptions={exactly} {...rest} />
}

/** The same for rows of long lists: it does not hear where one is, and costs next to nothing to draw. */
export function RowLink({
  to,
  ...rest
}: Omit<ComponentPropsWithoutRef<'a'>, 'href' | 'onClick'> & { to: string }) {
  const router = useRouter()
  const clicked = (event: MouseEvent) => {
    if (!isPlainClick(event) || event.defaultPrevented) return // the browser opens it elsewhere
    event.preventDefault()
    void router.navigate(linkTo(to))
  }
  return <a href={to} onClick={clicked} {...rest} />
}

const exactly = { exact: true, includeSearch: true, includeHash: true }

/** An address of the app as the router takes it. */
export function linkTo(to: string): { to: string; search?: Record<string, string>; hash?: string } {
  if (!/[?#]/.test(to)) return { to, search: {} }
  const url = new URL(to, window.location.origin)
  return {
    to: url.pathname,
    search: Object.fromEntries(url.searchParams),
    ...(url.hash === '' ? {} : { hash: url.hash.slice(1) }),
  }
}
