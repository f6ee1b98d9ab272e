import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadPart } from '../api/parts.ts'

/** A page at a path, loaded on first use. `load` imports its file; `name` is its component. */
export function pageRoute<M extends Record<string, unknown>>(
  parent: AnyRoute,
  path: string,
  load: () => Promise<M>,
  name: keyof M & string,
): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(
      () => loadPart(load as () => Promise<Record<string, ComponentType>>),
      name,
    ),
  }) as AnyRoute
}
