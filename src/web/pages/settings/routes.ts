import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function settingsRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    ...personalRoutes(parent),
    pageRoute(parent, '/settings/people', () => import('./people/People.tsx'), 'People'),
    pageRoute(parent, '/settings/labels', () => import('./labels/Labels.tsx'), 'Labels'),
    pageRoute(parent, '/settings/trash', () => import('./trash/Trash.tsx'), 'Trash'),
    pageRoute(parent, '/settings/teams', () => import('./teams/Teams.tsx'), 'Teams'),
    pageRoute(
      parent,
      '/settings/organization',
      () => import('./organization/Organization.tsx'),
      'Organization',
    ),
    ...singleSignOnRoutes(parent),
    pageRoute(parent, '/settings/programs', () => import('./programs/Programs.tsx'), 'Programs'),
    pageRoute(parent, '/settings/usage', () => import('./usage/Usage.tsx'), 'UsageSettings'),
    pageRoute(
      parent,
      '/settings/integrations/webhooks',
      () => import('./webhooks/Webhooks.tsx'),
      'Webhooks',
    ),
    pageRoute(
      parent,
      '/settings/integrations/webhooks/$id',
      () => import('./webhooks/Webhook.tsx'),
      'Webhook',
    ),
    ...mailRoutes(parent),
  ]
}

function personalRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/settings', () => import('./personal/First.tsx'), 'First'),
    pageRoute(parent, '/settings/accounts', () => import('./accounts/Accounts.tsx'), 'Accounts'),
    pageRoute(
      parent,
      '/settings/accounts/add',
      () => import('./accounts/AddAccount.tsx'),
      'AddAccount',
    ),
    pageRoute(
      parent,
      '/settings/accounts/$id',
      () => import('./accounts/Account.tsx'),
      'AccountPage',
    ),
    pageRoute(parent, '/settings/profile', () => import('./personal/Profile.tsx'), 'Profile'),
    pageRoute(
      parent,
      '/settings/notifications',
      () => import('./personal/Notifications.tsx'),
      'Notifications',
    ),
    pageRoute(
      parent,
      '/settings/shortcuts',
      () => import('./shortcuts/Shortcuts.tsx'),
      'Shortcuts',
    ),
  ]
}

function mailRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(parent, '/settings/mail', () => import('./mail/Mail.tsx'), 'Mail'),
    pageRoute(
      parent,
      '/settings/mail/rules/new',
      () => import('./mail/rule/NewRule.tsx'),
      'NewRule',
    ),
    pageRoute(parent, '/settings/mail/rules/$id', () => import('./mail/Rule.tsx'), 'Rule'),
    pageRoute(
      parent,
      '/settings/mail/templates/new',
      () => import('./mail/template/NewTemplate.tsx'),
      'NewTemplate',
    ),
    pageRoute(
      parent,
      '/settings/mail/templates/$id',
      () => import('./mail/Template.tsx'),
      'Template',
    ),
  ]
}

function singleSignOnRoutes(parent: AnyRoute): AnyRoute[] {
  return [
    pageRoute(
      parent,
      '/settings/single-sign-on',
      () => import('./single-sign-on/SingleSignOn.tsx'),
      'SingleSignOn',
    ),
    pageRoute(
      parent,
      '/settings/single-sign-on/add',
      () => import('./single-sign-on/AddProvider.tsx'),
      'AddProvider',
    ),
    pageRoute(
      parent,
      '/settings/single-sign-on/$id',
      () => import('./single-sign-on/Provider.tsx'),
      'ProviderPage',
    ),
  ]
}
