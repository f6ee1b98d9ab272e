import { Navigate } from '@tanstack/react-router'

/** The settings start with the personal ones. */
export function First() {
  return <Navigate to={'/settings/profile'} replace />
}
