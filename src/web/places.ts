/** First segments of the web app's addresses, except item addresses, which their resources define. */
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
  // Addresses in use stay valid.
  'custom-fields',
  'postmortems',
]
