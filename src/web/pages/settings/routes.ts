import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/pages.ts'

export function settingsRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(parent, '/settings', () => import('./personal/First.tsx'), 'First'),
    page(parent, '/settings/accounts', () => import('./accounts/Accounts.tsx'), 'Accounts'),
    page(parent, '/settings/accounts/add', () => import('./accounts/AddAccount.tsx'), 'AddAccount'),
    page(parent, '/settings/accounts/$id', () => import('./accounts/Account.tsx'), 'AccountPage'),
    page(parent, '/settings/profile', () => import('./personal/Profile.tsx'), 'Profile'),
    page(
      parent,
      '/settings/notifications',
      () => import('./personal/Notifications.tsx'),
      'Notifications',
    ),
    page(parent, '/settings/shortcuts', () => import('./shortcuts/Shortcuts.tsx'), 'Shortcuts'),
    page(parent, '/settings/people', () => import('./people/People.tsx'), 'People'),
    page(parent, '/settings/labels', () => import('./labels/Labels.tsx'), 'Labels'),
    page(parent, '/settings/trash', () => import('./trash/Trash.tsx'), 'Trash'),
    page(parent, '/settings/teams', () => import('./teams/Teams.tsx'), 'Teams'),
    page(
      parent,
      '/settings/organization',
      () => import('./organization/Organization.tsx'),
      'Organization',
    ),
    ...singleSignOnRoutes(parent),
    page(parent, '/settings/programs', () => import('./programs/Programs.tsx'), 'Programs'),
    page(parent, '/settings/usage', () => import('./usage/Usage.tsx'), 'UsageSettings'),
    page(
      parent,
      '/settings/integrations/webhooks',
      () => import('./webhooks/Webhooks.tsx'),
      'Webhooks',
    ),
    page(
      parent,
      '/settings/integrations/webhooks/$id',
      () => import('./webhooks/Webhook.tsx'),
      'Webhook',
    ),
    page(parent, '/settings/mail', () => import('./mail/Mail.tsx'), 'Mail'),
    page(parent, '/settings/mail/rules/new', () => import('./mail/rule/NewRule.tsx'), 'NewRule'),
    page(parent, '/settings/mail/rules/$id', () => import('./mail/Rule.tsx'), 'Rule'),
    page(
      parent,
      '/settings/mail/templates/new',
      () => import('./mail/template/NewTemplate.tsx'),
      'NewTemplate',
    ),
    page(parent, '/settings/mail/templates/$id', () => import('./mail/Template.tsx'), 'Template'),
  ]
}

function singleSignOnRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    page(
      parent,
      '/settings/single-sign-on',
      () => import('./single-sign-on/SingleSignOn.tsx'),
      'SingleSignOn',
    ),
    page(
      parent,
      '/settings/single-sign-on/add',
      () => import('./single-sign-on/AddProvider.tsx'),
      'AddProvider',
    ),
    page(
      parent,
      '/settings/single-sign-on/$id',
      () => import('./single-sign-on/Provider.tsx'),
      'ProviderPage',
    ),
  ]
}
