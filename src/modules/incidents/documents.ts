import { document } from '../../operations/documents.ts'
import { incident } from './access.ts'
import { textOfIncident } from './document-text.ts'

export const incidentDocument = document({
  name: 'incidents',
  title: 'Incident',
  about:
    'One incident by its key (INC-7) or id: state, roles, services, summary, cause, follow-up tasks, status updates and the last 100 entries of the timeline',
  resource: incident,
  read: {
    operation: 'get_incident',
    argument: 'incident_id',
    with: { include: ['timeline', 'links', 'updates', 'postmortem', 'tasks'] },
  },
  searchedColumns: ['incidents.key', 'incidents.title'],
  text: textOfIncident,
})
