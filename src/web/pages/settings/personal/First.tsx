import { Navigate } from '@tanstack/react-router'

/** The settings begin with one's own. */
export function First() {
  return <Navigate to={'/settings/profile'} replace />
}
