/** Texts of links between items. */
export const linkTexts = {
  title: 'Linked items',
  add: 'Link to…',
  search: 'Link to: search by words, name or key',
  how: (title: string) => `How is it linked to ${title}?`,
  /** Relations of outgoing links: from the item of the page to another one. */
  from: {
    relates_to: 'Related to',
    documents: 'Documents',
    caused_by: 'Caused by',
    results_in: 'Results in',
    duplicates: 'Duplicate of',
  },
  /** Relations of incoming links: from another item to the one of the page. */
  to: {
    relates_to: 'Related to',
    documents: 'Documented by',
    caused_by: 'Cause of',
    results_in: 'Result of',
    duplicates: 'Duplicate of',
  },
  added: (relation: string, title: string) => `${relation.toLowerCase()} ${title}`,
  removed: (title: string) => `no longer linked to ${title}`,
  remove: (relation: string, title: string) => `Remove link: ${relation.toLowerCase()} ${title}`,
  note: {
    label: 'Note',
    edit: (title: string) => `Note on the link to ${title}`,
    save: 'Save note',
    saved: (title: string) => `note on the link to ${title} saved`,
    removed: (title: string) => `note on the link to ${title} removed`,
  },
}
