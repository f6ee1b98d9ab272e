import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

/** The chat page. Addresses of channels and messages lead here, too. */
export function chatRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/chat', () => import('./Chat.tsx'), 'Chat'),
    pageRoute(parent, '/chat/new', () => import('./Chat.tsx'), 'NewConversation'),
    pageRoute(parent, '/chat/$channel', () => import('./Chat.tsx'), 'Chat'),
  ]
}
