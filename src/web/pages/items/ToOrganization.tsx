import { Navigate } from '@tanstack/react-router'

/** What refers to the organization as an item leads to its settings. */
export function ToOrganization() {
  return <Navigate to="/settings/organization" replace />
}
