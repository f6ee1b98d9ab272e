/** What the links between items say. */
export const linkTexts = {
  title: 'Linked items',
  add: 'Link to…',
  search: 'Link to: search by words, name or key',
  how: (title: string) => `How is it linked to ${title}?`,
  /** How an item is linked with another one, read from the item whose page it is. */
  from: {
    relates_to: 'Related to',
    documents: 'Documents',
    caused_by: 'Caused by',
    results_in: 'Results in',
    duplicates: 'Duplicate of',
  },
  /** The same for links that are read from the other item. */
  to: {
    relates_to: 'Related to',
    documents: 'Documented by',
    caused_by: 'Cause of',
    results_in: 'Result of',
    duplicates: 'Duplicate of',
  },
  added: (how: string, title: string) => `${how.toLowerCase()} ${title}`,
  removed: (title: string) => `no longer linked to ${title}`,
  remove: (how: string, title: string) => `Remove link: ${how.toLowerCase()} ${title}`,
  note: {
    label: 'Note',
    edit: (title: string) => `Note on the link to ${title}`,
    save: 'Save note',
    saved: (title: string) => `note on the link to ${title} saved`,
    removed: (title: string) => `note on the link to ${title} removed`,
  },
}
