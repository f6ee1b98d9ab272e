/** First segments of the web app's own addresses, besides those of items, which their resources name. */
export const places: readonly string[] = [
  'sign-in',
  'welcome',
  'invite',
  'reset',
  'connect',
  'inbox',
  'assistants',
  'chat',
  'search',
  'settings',
  'activity',
  'approvals',
  'action-items',
  // Addresses that were given out once stay.
  'custom-fields',
  'postmortems',
]
