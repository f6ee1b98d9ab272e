import { Navigate } from '@tanstack/react-router'

/** Redirects to the first settings page. */
export function First() {
  return <Navigate to={'/settings/profile'} replace />
}
