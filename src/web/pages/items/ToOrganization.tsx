import { Navigate } from '@tanstack/react-router'

/** Redirects references to the organization as an item to its settings. */
export function ToOrganization() {
  return <Navigate to="/settings/organization" replace />
}
