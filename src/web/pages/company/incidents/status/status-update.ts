import type { Input, Output } from '../../../../api/client.ts'

export type StatusUpdateInput = Omit<Input<'publish_status_update'>, 'dry_run'>
export type UpdateState = StatusUpdateInput['state']
export type StatusPage = Output<'get_status_page'>
export type StatusUpdate = StatusPage['open_updates'][number]
export type ServiceState = StatusPage['overall']
export type PublishedUpdate = Output<'publish_status_update'>

export const updateStates: readonly UpdateState[] = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'maintenance',
]

/** Worst first; the worst one determines the summary of the whole page. */
const worstFirst: readonly ServiceState[] = [
  'major_outage',
  'partial_outage',
  'degraded',
  'maintenance',
]
export const serviceStates: readonly ServiceState[] = ['operational', ...worstFirst.toReversed()]

export interface PreviewedPage {
  overall: ServiceState | 'open'
  /** The section of the page that contains the update. */
  section: 'open' | 'planned' | 'past'
  services: readonly { name: string; state: ServiceState }[]
  /** The updates of its thread, the latest first. */
  thread: readonly StatusUpdate[]
}

/** The public page including an update from a dry run. */
export function previewPage(
  page: StatusPage,
  dryRun: PublishedUpdate,
  previousUpdates: readonly StatusUpdate[],
): PreviewedPage {
  const changedStates = new Map(dryRun.services.map(({ service, to }) => [service.id, to]))
  const services = page.services
    .filter((entry) => entry.public)
    .map(({ service, state }) => ({
      name: service.title,
      state: changedStates.get(service.id) ?? state,
    }))
  const worst = worstFirst.find((state) => services.some((service) => service.state === state))
  const others = page.open_updates.filter((update) => update.thread_id !== dryRun.thread_id)
  const section = statusSectionOf(dryRun)
  const isOpen =
    (section === 'open' && dryRun.state !== 'maintenance') ||
    others.some(({ state }) => state !== 'maintenance')
  return {
    overall: worst ?? (isOpen ? 'open' : 'operational'),
    section,
    services,
    thread: [dryRun, ...previousUpdates.filter((update) => update.thread_id === dryRun.thread_id)],
  }
}

function statusSectionOf({ state, phase }: PublishedUpdate): PreviewedPage['section'] {
  if (state === 'resolved' || phase === 'resolved') return 'past'
  return phase === 'planned' ? 'planned' : 'open'
}
