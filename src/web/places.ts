/** First segments of the web app's own addresses: the server answers them with the app. */
export const places: readonly string[] = [
  'sign-in', 'welcome', 'invite', 'reset', 'search', 'settings', 'activity', 'approvals',
  'tasks', 'task-templates', 'projects', 'sprints', 'milestones', 'custom-fields', 'labels', 'views',
  'pages', 'files', 'drives', 'mail', 'calendar', 'channels', 'meetings', 'decisions', 'pulses', 'goals', 'time', 'reminders', 'notifications',
  'incidents', 'services', 'runbooks', 'on-call', 'postmortems', 'status-updates', 'contacts', 'companies', 'deals', 'interactions', 'forms',
  'automations', 'knowledge', 'links', 'people', 'teams', 'time-off', 'jobs', 'organization',
]
