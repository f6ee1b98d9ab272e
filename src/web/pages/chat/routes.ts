import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

/** The chat page. Addresses of channels and messages lead here, too. */
export function chatRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/chat', () => import('./Chat.tsx'), 'Chat'),
    page(parent, '/chat/new', () => import('./Chat.tsx'), 'NewConversation'),
    page(parent, '/chat/$channel', () => import('./Chat.tsx'), 'Chat'),
  ]
}
